/** Undoes a change of the contacts of an account, such as an added or a moved contact, by its audit log entries. */
import { maxContacts } from '@lanternrock/contract/account-contacts';
import type { Transaction } from '@lanternrock/postgres';
import { contactUnchangedSql } from '../activity/undoable.ts';
import { startUndo } from '../audit-log.ts';
import { accountNotFoundError, DomainError } from '../errors.ts';
import {
  lockAccounts,
  placeContacts,
  readContacts,
  type StoredContact,
  writeContacts,
} from './account-contacts.ts';

interface ContactEntry {
  readonly action: 'INSERT' | 'UPDATE' | 'DELETE';
  readonly contact_id: string;
  readonly before: Partial<StoredContact> | null;
  /** True if the contact is as the entry left it. */
  readonly unchanged: boolean;
}

const notUndoable = (): DomainError =>
  new DomainError(
    'not_undoable',
    'This change can no longer be undone, because the contacts were changed since.',
  );

/**
 * Restores the contacts of the account as they were before the transaction of the entry. Changes of other contacts since stay.
 *
 * @param change ID of an entry of a contact of the account
 * @throws DomainError account_not_found, not_undoable
 */
export async function undoContactsChange(
  tx: Transaction,
  { accountId, change }: { readonly accountId: string; readonly change: string },
): Promise<void> {
  const locked = await lockAccounts(tx, [accountId]);
  if (!locked.has(accountId)) throw accountNotFoundError();
  const entries = await readEntries(tx, accountId, change);
  if (entries.length === 0 || entries.some(({ unchanged }) => !unchanged)) throw notUndoable();
  const before = await readContacts(tx, [accountId]);
  const added = new Set(entries.flatMap((each) => (each.action === 'INSERT' ? [each.contact_id] : [])));
  const former = new Map(entries.map((each) => [each.contact_id, each.before]));
  const deleted = entries.flatMap((each) =>
    each.action === 'DELETE' && each.before !== null ? [each.before as StoredContact] : [],
  );
  const kept = before
    .filter(({ id }) => !added.has(id))
    .map((contact) => ({ ...contact, ...former.get(contact.id) }));
  if (kept.length + deleted.length > maxContacts) throw notUndoable();
  await startUndo(tx, change);
  // A contact that was deleted comes before the one that has its place now.
  const restored = [...deleted, ...kept].toSorted((one, other) => one.position - other.position);
  await writeContacts(tx, { before, after: placeContacts(restored) });
}

/** Reads the entries of the contacts of the account in the transaction of an entry. */
const readEntries = (tx: Transaction, accountId: string, change: string): Promise<ContactEntry[]> =>
  tx.query<ContactEntry & Record<string, unknown>>({
    text: `select l.action, l.row_id as contact_id, l.before,
        case l.action when 'DELETE' then c.id is null else c.id is not null and ${contactUnchangedSql} end as unchanged
      from private.audit_log e
        join private.audit_log l on l.at = e.at and coalesce(l.request_id, '') = coalesce(e.request_id, '')
        left join public.account_contacts c on c.account_id = $2::text::uuid and c.id::text = l.row_id
      where e.id = $1::bigint and e.run_id is null and l.table_name = 'public.account_contacts'
        and coalesce(l.after, l.before) ->> 'account_id' = $2::text
      order by l.id`,
    values: [change, accountId],
  });
