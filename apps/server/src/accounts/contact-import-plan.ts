/** Decides what an import does with each row of contacts. Reads nothing and writes nothing. */
import { randomUUID } from 'node:crypto';
import { maxContacts } from '@lanternrock/contract/account-contacts';
import type { ImportResult } from '@lanternrock/contract/account-import';
import type { ContactValues } from '@lanternrock/contract/contact-import';
import { foldText } from '@lanternrock/contract/fold-text';
import { DomainError } from '../errors.ts';
import { type StoredContact, toStoredPhone } from './account-contacts.ts';

export interface PlannedContacts {
  /** The results of the rows, in their order. */
  readonly results: readonly ImportResult[];
  /** The contacts of all named accounts after the import. */
  readonly contacts: readonly StoredContact[];
}

/** A row with the account that it names, or the reason for a rejection. */
export type ResolvedRow =
  | { readonly line: number; readonly reason: string }
  | { readonly line: number; readonly row: ContactValues; readonly accountId: string };

const noFields = { role: null, phone: null, email: null, note: null } as const;

/** @param stored the contacts of all named accounts */
export function planContacts(
  rows: readonly ResolvedRow[],
  stored: readonly StoredContact[],
  defaultCountry: string,
): PlannedContacts {
  const lists = new Map<string, StoredContact[]>();
  for (const contact of stored) {
    const list = lists.get(contact.account_id) ?? [];
    lists.set(contact.account_id, [...list, contact]);
  }
  const lines = new Map<string, number>();
  const planRow = (row: ContactValues, accountId: string): Omit<ImportResult, 'line'> => {
    const list = lists.get(accountId) ?? [];
    const found = findContact(row, list);
    if (typeof found === 'string') return { outcome: 'rejected', reason: found };
    const earlier = found && lines.get(found.id);
    if (earlier !== undefined)
      return { outcome: 'rejected', reason: `Line ${row.line} names the same contact as line ${earlier}` };
    if (!found && list.length >= maxContacts)
      return { outcome: 'rejected', reason: `The account already has ${maxContacts} contacts` };
    const next = applyRow(row, found ?? createContact(accountId, list), defaultCountry);
    if (typeof next === 'string') return { outcome: 'rejected', reason: next };
    lines.set(next.id, row.line);
    lists.set(
      accountId,
      found ? list.map((each) => (each === found ? next : each)) : insertContact(list, next),
    );
    if (!found) return { outcome: 'created', id: next.id };
    return { outcome: isEqual(found, next) ? 'unchanged' : 'changed', id: next.id };
  };
  const results = rows.map((row): ImportResult =>
    'reason' in row
      ? { line: row.line, outcome: 'rejected', reason: row.reason }
      : { line: row.line, ...planRow(row.row, row.accountId) },
  );
  return { results, contacts: [...lists.values()].flat() };
}

const createContact = (accountId: string, list: readonly StoredContact[]): StoredContact => ({
  id: randomUUID(),
  account_id: accountId,
  position: (list.at(-1)?.position ?? 0) + 1,
  name: '',
  ...noFields,
});

/** Adds a contact at the end. Closes the gaps if the last position is in use. */
const insertContact = (list: readonly StoredContact[], contact: StoredContact): StoredContact[] => {
  const next = [...list, contact];
  return contact.position <= maxContacts
    ? next
    : next.map((each, index) => ({ ...each, position: index + 1 }));
};

/** Returns the contact that the row names, undefined if there is none, or the reason for a rejection. */
function findContact(
  { contactId, fields }: ContactValues,
  list: readonly StoredContact[],
): StoredContact | string | undefined {
  if (contactId !== null)
    return (
      list.find(({ id }) => id === contactId) ??
      'The account has no contact with this ID. Leave the ID empty to add the contact'
    );
  const name = foldText(fields.name);
  const found = list.filter((contact) => foldText(contact.name) === name);
  if (found.length <= 1) return found[0];
  return `The account has ${found.length} contacts with this name. Add the ID of one of them`;
}

/** Returns the contact with the values of the row, or the reason for a rejection. */
function applyRow(
  row: ContactValues,
  contact: StoredContact,
  defaultCountry: string,
): StoredContact | string {
  const next = { ...contact, ...row.fields };
  try {
    return { ...next, phone: toStoredPhone(next.phone, contact.phone, defaultCountry) };
  } catch (error) {
    if (error instanceof DomainError) return error.message.replace(/\.$/, '');
    throw error;
  }
}

const isEqual = (a: StoredContact, b: StoredContact): boolean =>
  (Object.keys(a) as (keyof StoredContact)[]).every((key) => a[key] === b[key]);
