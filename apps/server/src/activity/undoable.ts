/**
 * SQL of the entries that can be reverted, by `undo-change` (`apps/server/src/accounts/undo-change.ts`), and imports by `undo-import`;
 * and of the entries that undo others.
 */
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

/** SQL condition: the entry `l` has been undone. The row can have the same values again since. */
export const isUndoneSql = `exists (select from private.audit_log u where u.undoes = l.id)`;

/** The status changes that can be reverted, as in `private.check_account_status`. A suspension needs its reason again. */
const statusUndoable = `case (l.before ->> 'status') || ' ' || (l.after ->> 'status')
  when 'active suspended' then true
  when 'active archived' then true
  when 'archived active' then true
  when 'suspended active' then ${endedReasonSql} is not null
  else false end`;

const columns = editedColumns.map((name) => `'${name}'`).join(', ');

/**
 * SQL condition: the contact `c` is as the entry `l` left it. The position of a new one does not matter, and an entry of a change also
 * contains columns that name the contact.
 */
export const contactUnchangedSql = `to_jsonb(c) @> case l.action
  when 'INSERT' then l.after - 'position'
  else l.after - array(select f.key from jsonb_object_keys(l.after) f (key) where not l.before ? f.key) end`;

/**
 * SQL expression: whether the row is as the entry `l` left it, so that the entry can be reverted. Needs the present `account` of the
 * entry, `subject`, the user of a membership, and `undo`, the newest entry that undid it.
 */
export const undoableSql = `case
  when undo.id is not null then false
  when l.table_name = 'public.accounts' and l.action = 'UPDATE' and account.id is not null then (
    select coalesce(bool_and(
        f.name in (${columns}, 'status')
        and to_jsonb(account) -> f.name is not distinct from l.after -> f.name
        and (f.name <> 'status' or ${statusUndoable})
      ) and (count(*) = 1 or not l.before ? 'status'), false)
      from jsonb_object_keys(l.before) f (name) where f.name <> 'updated_by'
  )
  -- The conditions of undo-account-member. Only others remove an own membership with an end date.
  when l.table_name = 'public.account_members' and l.actor = auth.uid() and l.at > now() - interval '10 minutes'
    and account.id is not null and subject.id is not null
    and not (l.action = 'INSERT' and subject.id = auth.uid() and l.after ->> 'ends_at' is not null)
    then case l.action
      when 'DELETE' then not exists (
        select from public.account_members m where m.account_id = account.id and m.user_id = subject.id)
      else exists (
        select from public.account_members m where m.account_id = account.id and m.user_id = subject.id
          and m.id::text = l.row_id and to_jsonb(m) @> l.after) end
  -- The conditions of undo-contacts-change. An import of contacts cannot be undone.
  when l.table_name = 'public.account_contacts' and l.run_id is null and account.id is not null
    then case l.action
      when 'DELETE' then not exists (
        select from public.account_contacts c where c.account_id = account.id and c.id::text = l.row_id)
      else exists (
        select from public.account_contacts c where c.account_id = account.id and c.id::text = l.row_id and ${contactUnchangedSql}) end
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

/**
 * Select of the entries of `page` that are undone, each with its newest undo. One scan of the index of undos, of which there are few, and
 * not one for each entry.
 */
export const undosSql = `select u.undoes, max(u.id) as id from private.audit_log u
    where u.undoes between (select min(p.id) from page p) and (select max(p.id) from page p) group by u.undoes`;

const timeSql = (at: string): string => `to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** Joins an entry with the present name of its actor. */
const joinLinked = (alias: string, select: string): string => `
    left join lateral (
      select e.id, e.at, e.actor, e.origin, e.after,
          coalesce(private.display_name(p.full_name, a.email), case when e.origin = 'command line' then e.request_id end) as actor_name
        from (${select}) e
          left join auth.users a on a.id = e.actor and a.deleted_at is null
          left join public.profiles p on p.id = a.id
    ) ${alias} on true`;

/** Joins `undo`, the newest entry that undid the entry `l`, and `undone`, the entry that `l` undid. Needs `undos`. */
export const joinUndo =
  joinLinked('undo', 'select u.* from private.audit_log u where u.id = undos.id') +
  joinLinked('undone', 'select u.* from private.audit_log u where u.id = l.undoes');

const linkedSql = (alias: string): string =>
  `'id', ${alias}.id::text, 'at', ${timeSql(`${alias}.at`)}, 'actor_id', ${alias}.actor, 'actor_name', ${alias}.actor_name, 'origin', ${alias}.origin`;

/** SQL expression: the entry that undid the entry `l`. The undo of an import can leave accounts. */
export const undoneBySql = `case when undo.id is not null then jsonb_build_object(${linkedSql('undo')},
  'partly', l.table_name = 'imports' and (undo.after ->> 'total_deleted')::bigint < (l.after ->> 'total_created')::bigint) end`;

/** SQL expression: the entry that the entry `l` undid. The retention can have removed it. */
export const undoesSql = `case when l.undoes is not null then jsonb_build_object(${linkedSql('undone')}) || jsonb_build_object('id', l.undoes::text) end`;
