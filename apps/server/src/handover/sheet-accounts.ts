/** Reads the accounts of the emergency sheet with their contacts, in pages by name. */
import {
  sheetPageSize,
  type SheetAccount,
  type SheetAccountsResponse,
  type sheetAccountsSchema,
} from '@lanternrock/contract/handover';
import type { Transaction } from '@lanternrock/postgres';
import type * as z from 'zod/mini';
import { filterConditions, searchCondition } from '../accounts/account-batches.ts';
import { readContacts, toAccountContact, type StoredContact } from '../accounts/account-contacts.ts';
import { accountsPerTurn, groupByAccount } from '../accounts/contact-csv.ts';
import { slicesInTurns } from '../slices.ts';

type Page = z.output<typeof sheetAccountsSchema>;

const nameKey = 'public.name_key(a)';

/** A page as it is stored: the phone numbers are not formatted. */
interface StoredPage {
  readonly accounts: readonly (Omit<SheetAccount, 'contacts'> & {
    readonly contacts: readonly StoredContact[];
  })[];
  readonly next: SheetAccountsResponse['next'];
}

/** Reads a page, for `toSheetResponse`. */
export async function readSheetPage(tx: Transaction, page: Page): Promise<StoredPage> {
  const values: unknown[] = [];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const conditions = filterConditions(page, bind);
  const search = searchCondition(page, bind);
  if (search !== null) conditions.push(search);
  if (page.after !== undefined) {
    const { key, id } = page.after;
    conditions.push(`(${nameKey}, a.id) > (${bind(key)}::private.folded_text, ${bind(id)}::uuid)`);
  }
  // One row more tells if there is another page. Only constants of the source are part of the text.
  const rows = await tx.query<Omit<SheetAccount, 'contacts'> & { key: string }>({
    text: `select a.id, a.name, a.account_type, a.status, a.address, a.city, a.state, a.zip_code, ${nameKey}::text as key
             from public.accounts a where ${conditions.join(' and ')}
             order by ${nameKey}, a.id limit ${sheetPageSize + 1}`,
    values,
  });
  const shown = rows.slice(0, sheetPageSize);
  const contacts = groupByAccount(
    await readContacts(
      tx,
      shown.map(({ id }) => id),
    ),
  );
  const last = rows.length > shown.length ? shown.at(-1) : undefined;
  return {
    accounts: shown.map(({ key: _key, ...account }) => ({
      ...account,
      contacts: contacts.get(account.id) ?? [],
    })),
    next: last ? { key: last.key, id: last.id } : null,
  };
}

/** Formats the phone numbers of a page. Call it after the transaction: a page can have 20,000 of them. */
export async function toSheetResponse({ accounts, next }: StoredPage): Promise<SheetAccountsResponse> {
  const formatted: SheetAccount[] = [];
  for await (const slice of slicesInTurns(accounts, accountsPerTurn))
    for (const account of slice)
      formatted.push({ ...account, contacts: account.contacts.map(toAccountContact) });
  return { accounts: formatted, next };
}
