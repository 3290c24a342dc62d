/** SQL of the entries that can be reverted: by `undo-change` (`apps/server/src/accounts/undo-change.ts`), and imports by `undo-import`. */
import { maxGroupCount } from '@lanternrock/contract/activity-limits';
import { compileRecord } from './activity-scan.ts';

/** The columns of an account that an edit changes. */
export const editedColumns = [
  'name',
  'slug',
  'account_type',
  'address',
  'city',
  'state',
  'zip_code',
] as const;

/** SQL expression: the reason of the suspension that ended with the change of status `l`; null without one. */
export const endedReasonSql = `(select s.before ->> 'reason' from private.audit_log s
  where s.table_name = 'private.account_suspensions' and s.action = 'DELETE' and s.at = l.at
    and ${compileRecord('s')} = l.row_id
  order by s.id desc limit 1)`;

/** The status changes that can be reverted, as in `private.check_account_status`. A suspension needs its reason again. */
const statusUndoable = `case (l.before ->> 'status') || ' ' || (l.after ->> 'status')
  when 'active suspended' then true
  when 'active archived' then true
  when 'archived active' then true
  when 'suspended active' then ${endedReasonSql} is not null
  else false end`;

const columns = editedColumns.map((name) => `'${name}'`).join(', ');

/**
 * SQL expression: whether the row is as the entry `l` left it, so that the entry can be reverted. Needs the present `account` of the
 * entry and `subject`, the user of a membership.
 */
export const undoableSql = `case
  when l.table_name = 'public.accounts' and l.action = 'UPDATE' and account.id is not null then (
    select coalesce(bool_and(
        f.name in (${columns}, 'status')
        and to_jsonb(account) -> f.name is not distinct from l.after -> f.name
        and (f.name <> 'status' or ${statusUndoable})
      ) and (count(*) = 1 or not l.before ? 'status'), false)
      from jsonb_object_keys(l.before) f (name) where f.name <> 'updated_by'
  )
  -- The conditions of undo-account-member.
  when l.table_name = 'public.account_members' and l.actor = auth.uid() and l.at > now() - interval '10 minutes'
    and account.id is not null and subject.id is not null
    then case l.action
      when 'DELETE' then not exists (
        select from public.account_members m where m.account_id = account.id and m.user_id = subject.id)
      else exists (
        select from public.account_members m where m.account_id = account.id and m.user_id = subject.id
          and m.id::text = l.row_id and to_jsonb(m) @> l.after) end
  else false end`;

/** SQL expression: the import that the entry `l` records, if the user can undo it; otherwise null. */
export const undoableImportSql = `case
  when l.table_name = 'imports' and l.action = 'imported' and l.actor = auth.uid() then (
    select jsonb_build_object('id', i.id, 'accounts', n.accounts)
      from private.account_imports i cross join lateral (
        select count(*)::int as accounts
          from (select from private.imported_accounts a where a.import_id = i.id limit ${maxGroupCount}) a
      ) n
      where i.id = (l.after ->> 'import_id')::uuid and i.created_by = auth.uid()
        and i.created_at > now() - interval '7 days' and n.accounts > 0) end`;
