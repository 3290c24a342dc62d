/** Undoes a change of an account, of its contacts or of a member by its audit log entry, which has the former state. */
import { type AccountStatus, accountStatusText, isAccountStatus } from '@lanternrock/contract/account-status';
import type { UndoneChange } from '@lanternrock/contract/activity';
import { type Transaction, sql } from '@lanternrock/postgres';
import { compileRecord } from '../activity/activity-scan.ts';
import { editedColumns, endedReasonSql, isUndoneSql } from '../activity/undoable.ts';
import { startUndo } from '../audit-log.ts';
import { accountNotFoundError, DomainError } from '../errors.ts';
import { requireContactsVersion } from './account-contacts.ts';
import { setAccountStatus } from './account-status.ts';
import { undoContactsChange } from './undo-contacts-change.ts';
import { undoMemberChange } from './undo-member-change.ts';

type Columns = Readonly<Record<string, unknown>>;

interface Change {
  readonly action: string;
  readonly table_name: string;
  readonly row_id: string;
  /** Of a membership. */
  readonly account_id: string | null;
  readonly before: Columns | null;
  readonly after: Columns | null;
  /** Of a suspension that ended with the change. */
  readonly reason: string | null;
}

interface Undo {
  readonly change: UndoneChange;
  readonly actorId: string | null;
}

const notUndoable = (): DomainError =>
  new DomainError('not_undoable', 'This change can no longer be undone.');

/**
 * Restores the state before a change that is not undone yet, which adds entries that name it. A change of a member: only for the
 * administrator who made it, and for ten minutes.
 *
 * @throws DomainError not_undoable
 * @throws DomainError account_not_found, account_changed, contacts_changed, status_not_allowed
 */
export async function undoChange(tx: Transaction, { change: undone, actorId }: Undo): Promise<void> {
  const entry = 'entry' in undone ? undone.entry : await findOwnEntry(tx, undone);
  const [change] = await tx.query<Change>({
    text: `select l.action, l.table_name, l.row_id, coalesce(l.after, l.before) ->> 'account_id' as account_id,
        l.before, l.after, ${endedReasonSql} as reason
      from private.audit_log l where l.id = $1::bigint and not ${isUndoneSql}`,
    values: [entry],
  });
  if (change?.table_name === 'public.account_members' && change.account_id !== null) {
    await undoMemberChange(tx, { accountId: change.account_id, change: entry });
    return;
  }
  if (change?.table_name === 'public.account_contacts' && change.account_id !== null) {
    await undoContactsChange(tx, { accountId: change.account_id, change: entry });
    return;
  }
  if (change?.table_name !== 'public.accounts' || change.action !== 'UPDATE') throw notUndoable();
  await startUndo(tx, entry);
  const { before, after, row_id: accountId, reason } = change;
  if (before === null || after === null) throw notUndoable();
  const names = Object.keys(before).filter((name) => name !== 'updated_by');
  if (names.length === 1 && names[0] === 'status') {
    const { status } = before;
    if (typeof status !== 'string' || !isAccountStatus(status)) throw notUndoable();
    await restoreStatus(tx, { accountId, status, previousStatus: String(after['status']), reason, actorId });
    return;
  }
  const isEdited = (name: string): boolean => editedColumns.some((column) => column === name);
  if (names.length === 0 || !names.every(isEdited)) throw notUndoable();
  const pick = (values: Columns): string =>
    JSON.stringify(Object.fromEntries(names.map((name) => [name, values[name]])));
  await restoreColumns(tx, { accountId, before: pick(before), after: pick(after) });
}

/**
 * Returns the ID of the entry of a change that the user has just made.
 *
 * @throws DomainError not_undoable, account_not_found, contacts_changed
 */
async function findOwnEntry(
  tx: Transaction,
  undone: Exclude<UndoneChange, { readonly entry: string }>,
): Promise<string> {
  const accountId = undone.account_id;
  if ('contacts' in undone) await requireContactsVersion(tx, accountId, undone.contacts);
  const [table, until] =
    'contacts' in undone
      ? ['public.account_contacts', 'infinity']
      : // The version is the time at which the row was written, after the start of the transaction, which is that of the entry.
        ['public.accounts', undone.updated_at];
  const record = compileRecord('l');
  const [row] = await tx.query<{ id: string; own: boolean }>({
    text: `select l.id::text, l.actor is not distinct from auth.uid() as own from private.audit_log l
      where (${record}, l.at) <= ($1, $3::timestamptz) and ${record} = $1 and l.table_name = $2
      order by ${record} desc, l.at desc, l.id desc limit 1`,
    values: [accountId, table, until],
  });
  if (row?.own !== true) throw notUndoable();
  return row.id;
}

async function restoreStatus(
  tx: Transaction,
  {
    reason,
    ...change
  }: {
    readonly accountId: string;
    readonly status: AccountStatus;
    readonly previousStatus: string;
    readonly reason: string | null;
    readonly actorId: string | null;
  },
): Promise<void> {
  // The reason is removed with the suspension; a status that was set by SQL has none.
  if (change.status === 'suspended' && reason === null) throw notUndoable();
  await setAccountStatus(tx, { ...change, reason: reason ?? undefined, updatedAt: null });
}

/** @param change the changed columns as JSON, before and after the change */
async function restoreColumns(
  tx: Transaction,
  {
    accountId,
    before,
    after,
  }: { readonly accountId: string; readonly before: string; readonly after: string },
): Promise<void> {
  const [account] = await tx.query<{ name: string; status: string; same: boolean }>(
    sql`select a.name, a.status, to_jsonb(a) @> ${after}::jsonb as same
        from public.accounts a where a.id = ${accountId}::uuid for update`,
  );
  if (!account) throw accountNotFoundError();
  if (!account.same) {
    const message = `${account.name} was changed in the meantime and is ${accountStatusText(account.status)}. Check it and try again.`;
    throw new DomainError('account_changed', message);
  }
  await tx.query(
    sql`update public.accounts a
           set name = r.name, slug = r.slug, account_type = r.account_type, address = r.address, city = r.city,
               state = r.state, zip_code = r.zip_code
          from (select (jsonb_populate_record(p, ${before}::jsonb)).* from public.accounts p where p.id = ${accountId}::uuid) r
         where a.id = r.id`,
  );
}
