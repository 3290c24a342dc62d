/** Undoes a change of a member. The audit log has the former state, so that a client cannot invent one. */
import type { MemberChangeResponse } from '@lanternrock/contract/account-members';
import { QueryError } from '@lanternrock/postgres/errors';
import { sql, type Transaction } from '@lanternrock/postgres';
import { isUndoneSql } from '../activity/undoable.ts';
import { startUndo } from '../audit-log.ts';
import { DomainError } from '../errors.ts';
import { toMembershipError } from '../to-membership-error.ts';
import { changeResponse } from './account-members.ts';

interface AuditEntry {
  readonly action: 'INSERT' | 'UPDATE' | 'DELETE';
  readonly member_id: string;
  readonly user_id: string;
  readonly before: string | null;
}

const notUndoable = (cause?: unknown): DomainError =>
  new DomainError(
    'not_undoable',
    'This change can no longer be undone. Undo is possible for ten minutes, while the membership is unchanged.',
    { cause },
  );

/**
 * Restores the state before the change, including the ID and the date. Only for the administrator who made the change, for
 * ten minutes, and while the membership is as the change left it. A change is undone once.
 *
 * @throws DomainError not_undoable, own_membership
 */
export async function undoMemberChange(
  tx: Transaction,
  { accountId, change }: { readonly accountId: string; readonly change: string },
): Promise<MemberChangeResponse> {
  const [entry] = await tx.query<AuditEntry>({
    text: `select l.action, l.row_id as member_id, coalesce(l.after, l.before) ->> 'user_id' as user_id, l.before::text
        from private.audit_log l
        where l.id = $1::bigint and l.table_name = 'public.account_members' and l.actor = auth.uid()
          and coalesce(l.after, l.before) ->> 'account_id' = $2 and l.at > now() - interval '10 minutes'
          and not ${isUndoneSql}`,
    values: [change, accountId],
  });
  if (!entry) throw notUndoable();
  await startUndo(tx, change);
  const [undone] = await restore(tx, entry, change).catch((error: unknown) => {
    throw toMembershipError(error);
  });
  if (!undone) throw notUndoable();
  return changeResponse(tx, { accountId, userId: entry.user_id }, entry.member_id);
}

/** Changes the row only if it is as the change left it. */
async function restore(
  tx: Transaction,
  { action, member_id: id, before }: AuditEntry,
  change: string,
): Promise<readonly object[]> {
  const unchanged = sql`select to_jsonb(m) @> l.after as same from public.account_members m, private.audit_log l
      where m.id = ${id}::uuid and l.id = ${change}::bigint for update of m`;
  if (action !== 'DELETE') {
    const [row] = await tx.query<{ same: boolean }>(unchanged);
    if (!row?.same) return [];
  }
  switch (action) {
    case 'INSERT':
      return tx.query(sql`delete from public.account_members where id = ${id}::uuid returning id`);
    case 'UPDATE':
      return tx.query(
        sql`update public.account_members m set status = r.status, ends_at = r.ends_at
            from (select (jsonb_populate_record(p, ${before}::jsonb)).* from public.account_members p
              where p.id = ${id}::uuid) r
            where m.id = r.id returning m.id`,
      );
    case 'DELETE':
      try {
        return await tx.query(
          sql`insert into public.account_members
              select (jsonb_populate_record(null::public.account_members, ${before}::jsonb)).*
              on conflict do nothing returning id`,
        );
      } catch (error) {
        // The user or the account was deleted after the change.
        if (error instanceof QueryError && error.code === '23503') throw notUndoable(error);
        throw error;
      }
  }
}
