/** Contacts of an account: reads and changes, each in the transaction of an administrator. */
import { createHash, randomUUID } from 'node:crypto';
import {
  maxContacts,
  type AccountContact,
  type AccountContactsResponse,
  type ContactFields,
} from '@lanternrock/contract/account-contacts';
import { sql, type Transaction } from '@lanternrock/postgres';
import { accountNotFoundError, DomainError } from '../errors.ts';
import { formatPhone, parsePhone } from '../phone-numbers.ts';

/** A row of the table. `phone` is in E.164. */
export interface StoredContact extends ContactFields {
  readonly id: string;
  readonly account_id: string;
  /** From 1 to `maxContacts`, with gaps. */
  readonly position: number;
}

export const readContacts = (
  tx: Transaction,
  accountIds: readonly string[],
): Promise<readonly StoredContact[]> =>
  tx.query<StoredContact & Record<string, unknown>>(
    sql`select id, account_id, position, name, role, phone, email, note from public.account_contacts
        where account_id = any (${accountIds}::uuid[]) order by account_id, position`,
  );

/** Locks the accounts, so that changes of their contacts run one after another. Returns the IDs of those that exist. */
export async function lockAccounts(
  tx: Transaction,
  accountIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ id: string }>(
    sql`select id from public.accounts where id = any (${accountIds}::uuid[]) order by id for no key update`,
  );
  return new Set(rows.map(({ id }) => id));
}

export const toAccountContact = ({
  account_id: _accountId,
  position: _position,
  ...contact
}: StoredContact): AccountContact => ({ ...contact, phone_text: formatPhone(contact.phone) });

const toVersion = (contacts: readonly StoredContact[]): string =>
  createHash('sha256').update(JSON.stringify(contacts)).digest('hex').slice(0, 32);

/** @throws DomainError account_not_found */
export async function readAccountContacts(
  tx: Transaction,
  accountId: string,
): Promise<AccountContactsResponse> {
  const [account] = await tx.query<{ contact_text: string | null }>(
    sql`select contact_text from public.accounts where id = ${accountId}`,
  );
  if (!account) throw accountNotFoundError();
  const contacts = await readContacts(tx, [accountId]);
  return { contacts: contacts.map(toAccountContact), version: toVersion(contacts), ...account };
}

/**
 * Locks the contacts of an account and returns them.
 *
 * @param version of the list that the user saw
 * @throws DomainError account_not_found, contacts_changed
 */
export async function requireContactsVersion(
  tx: Transaction,
  accountId: string,
  version: string,
): Promise<readonly StoredContact[]> {
  const locked = await lockAccounts(tx, [accountId]);
  if (!locked.has(accountId)) throw accountNotFoundError();
  const contacts = await readContacts(tx, [accountId]);
  if (toVersion(contacts) === version) return contacts;
  throw new DomainError(
    'contacts_changed',
    'The contacts of this account were changed in the meantime. Check them and try again.',
  );
}

interface ContactList {
  readonly accountId: string;
  /** Of the list that the user saw. */
  readonly version: string;
  readonly contacts: readonly (ContactFields & { readonly id?: string | undefined })[];
  /** See `parsePhone`. */
  readonly defaultCountry: string;
}

/**
 * Replaces the list of contacts. Writes the rows that differ only.
 *
 * @throws DomainError account_not_found, contacts_changed, invalid_phone
 */
export async function setAccountContacts(
  tx: Transaction,
  { accountId, version, contacts, defaultCountry }: ContactList,
): Promise<AccountContactsResponse> {
  const before = await requireContactsVersion(tx, accountId, version);
  const stored = new Map(before.map((contact) => [contact.id, contact]));
  const kept = new Set<string>();
  const list = contacts.map(({ id, ...fields }) => {
    const earlier = id === undefined || kept.has(id) ? undefined : stored.get(id);
    if (earlier !== undefined) kept.add(earlier.id);
    return {
      ...fields,
      phone: toStoredPhone(fields.phone, earlier?.phone ?? null, defaultCountry),
      id: earlier?.id ?? randomUUID(),
      account_id: accountId,
      position: earlier?.position ?? null,
    };
  });
  await writeContacts(tx, {
    before,
    after: placeContacts(list),
  });
  return readAccountContacts(tx, accountId);
}

/** A number that did not change is not checked: numbering plans change. */
export function toStoredPhone(
  text: string | null,
  stored: string | null,
  defaultCountry: string,
): string | null {
  if (text === null) return null;
  return text === stored || text === formatPhone(stored) ? stored : parsePhone(text, defaultCountry);
}

/** Returns the contacts with positions in their order. Keeps the present ones if possible, so that few rows change. */
export function placeContacts(
  list: readonly (Omit<StoredContact, 'position'> & { readonly position: number | null })[],
): readonly StoredContact[] {
  let last = 0;
  const placed = list.map((contact) => ({ ...contact, position: (last = contact.position ?? last + 1) }));
  const isInOrder = placed.every(({ position }, index) => position > (placed[index - 1]?.position ?? 0));
  return isInOrder && last <= maxContacts
    ? placed
    : placed.map((contact, index) => ({ ...contact, position: index + 1 }));
}

const columns = ['position', 'name', 'role', 'phone', 'email', 'note'] as const;

/** Writes the difference of two states of the contacts of any accounts. */
export async function writeContacts(
  tx: Transaction,
  { before, after }: { readonly before: readonly StoredContact[]; readonly after: readonly StoredContact[] },
): Promise<void> {
  const stored = new Map(before.map((contact) => [contact.id, contact]));
  const kept = new Set(after.map(({ id }) => id));
  const removed = before.flatMap(({ id }) => (kept.has(id) ? [] : [id]));
  const added = after.filter(({ id }) => !stored.has(id));
  const changed = after.filter((contact) => {
    const earlier = stored.get(contact.id);
    return earlier !== undefined && columns.some((column) => earlier[column] !== contact[column]);
  });
  if (removed.length > 0)
    await tx.query(sql`delete from public.account_contacts where id = any (${removed}::uuid[])`);
  // One statement, because two contacts can exchange their positions.
  if (changed.length > 0)
    await tx.query(
      sql`update public.account_contacts c
             set position = r.position, name = r.name, role = r.role, phone = r.phone, email = r.email, note = r.note
            from jsonb_populate_recordset(null::public.account_contacts, ${JSON.stringify(changed)}::jsonb) r
           where c.id = r.id`,
    );
  if (added.length > 0)
    await tx.query(
      sql`insert into public.account_contacts (id, account_id, position, name, role, phone, email, note)
          select r.id, r.account_id, r.position, r.name, r.role, r.phone, r.email, r.note
            from jsonb_populate_recordset(null::public.account_contacts, ${JSON.stringify(added)}::jsonb) r`,
    );
}
