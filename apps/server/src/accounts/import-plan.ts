/** Decides what an import does with each row. Reads nothing and writes nothing. */
import {
  type createRepeatCheck,
  parseImportRow,
  repeatedRowReason,
  slugOfRow,
  type ImportChange,
  type ImportOutcome,
  type ImportRow,
  type ImportValues,
} from '@lanternrock/contract/account-import';
import type { AccountType } from '@lanternrock/contract/account-types';
import { accountFields, type NewAccount } from '@lanternrock/contract/accounts';
import { foldText } from '@lanternrock/contract/fold-text';

/** The stored fields of an account that an import can change. */
type AccountFields = NewAccount;

export interface ExistingAccount extends AccountFields {
  readonly id: string;
  readonly slug: string;
  /** With microseconds, to recognize concurrent changes. */
  readonly updated_at: string;
}

export type PlannedRow = { readonly line: number } & (
  | { readonly outcome: Extract<ImportOutcome, 'rejected'>; readonly reason: string }
  | {
      readonly outcome: Extract<ImportOutcome, 'created'>;
      readonly row: ImportValues;
      readonly slug: string;
      readonly fields: AccountFields;
    }
  | {
      readonly outcome: Extract<ImportOutcome, 'changed' | 'unchanged'>;
      readonly account: ExistingAccount;
      readonly fields: AccountFields;
      /** True if only the names are equal: neither an ID, nor a slug, nor a city proves that the row means the account. */
      readonly isByNameOnly: boolean;
    }
);

/** Finds rows that name the same account; one for each file. */
type RepeatCheck = ReturnType<typeof createRepeatCheck>;

export interface ParsedRow {
  readonly line: number;
  readonly parsed: ReturnType<typeof parseImportRow>;
}

export const parseRows = (rows: readonly ImportRow[]): readonly ParsedRow[] =>
  rows.map((row) => ({ line: row.line, parsed: parseImportRow(row) }));

export interface PlanOptions {
  /** Also knows the rows of earlier calls for the same file. */
  readonly findRepeat: RepeatCheck;
  /** The type of accounts that rows without a type create. */
  readonly defaultType?: AccountType | undefined;
}

/** @param accounts every account that one of the rows can name */
export function planRows(
  rows: readonly ParsedRow[],
  accounts: readonly ExistingAccount[],
  { findRepeat, defaultType }: PlanOptions,
): readonly PlannedRow[] {
  const existing = indexAccounts(accounts);
  return rows.map(({ line, parsed }): PlannedRow => {
    const rejected = (reason: string): PlannedRow => ({ line, outcome: 'rejected', reason });
    if ('reason' in parsed) return rejected(parsed.reason);
    const found = findAccount(parsed, existing);
    if (typeof found === 'string') return rejected(found);
    const earlier = findRepeat(parsed, found?.id ?? null);
    if (earlier !== null) return rejected(repeatedRowReason(line, earlier));
    if (found) return planChange(line, parsed, found);
    const { account_type: type = defaultType, ...fields } = { ...noDetails, ...parsed.fields };
    // The message of the dialog.
    if (type === undefined) return rejected('Please select an account type');
    return {
      line,
      outcome: 'created',
      row: parsed,
      slug: slugOfRow(parsed),
      fields: { ...fields, account_type: type },
    };
  });
}

const noDetails = { address: null, city: null, state: null, zip_code: null } as const;

interface AccountIndex {
  readonly byId: ReadonlyMap<string, ExistingAccount>;
  readonly bySlug: ReadonlyMap<string, readonly ExistingAccount[]>;
  /** By `nameKey`. All names without ASCII letters have the same slug. */
  readonly byName: ReadonlyMap<string, readonly ExistingAccount[]>;
  /** Folded once: many rows can name accounts of one name. */
  readonly foldedCities: ReadonlyMap<ExistingAccount, string>;
}

const indexAccounts = (accounts: readonly ExistingAccount[]): AccountIndex => ({
  byId: new Map(accounts.map((account) => [account.id, account])),
  bySlug: groupBy(accounts, ({ slug }) => slug),
  byName: groupBy(accounts, ({ slug, name }) => nameKey(slug, name)),
  foldedCities: new Map(accounts.map((account) => [account, foldText(account.city ?? '')])),
});

const nameKey = (slug: string, name: string): string => `${slug} ${foldText(name)}`;

function groupBy(
  accounts: readonly ExistingAccount[],
  toKey: (account: ExistingAccount) => string,
): ReadonlyMap<string, readonly ExistingAccount[]> {
  const groups = new Map<string, ExistingAccount[]>();
  for (const account of accounts) {
    const key = toKey(account);
    const group = groups.get(key);
    if (group) group.push(account);
    else groups.set(key, [account]);
  }
  return groups;
}

/**
 * Returns the account that the row names, undefined if there is none, or the reason for a rejection. A row without ID and
 * slug names the account with its name, and with its city if the file has cities.
 */
function findAccount(
  row: ImportValues,
  { byId, bySlug, byName, foldedCities }: AccountIndex,
): ExistingAccount | string | undefined {
  if (row.id !== null)
    return byId.get(row.id) ?? 'No account has this ID. Leave the ID empty to create the account';
  if (row.slug !== null) {
    const found = bySlug.get(row.slug) ?? [];
    if (found.length <= 1) return found[0];
    return `${found.length} accounts have the slug "${row.slug}". Add the ID of one of them`;
  }
  const { name, city } = row.fields;
  const sameName = byName.get(nameKey(slugOfRow(row), name)) ?? [];
  const foldedCity = foldText(city ?? '');
  const found =
    city === undefined ? sameName : sameName.filter((account) => foldedCities.get(account) === foldedCity);
  if (found.length <= 1) return found[0];
  return `${found.length} accounts have this name. Add the ID of one of them`;
}

function planChange(line: number, row: ImportValues, account: ExistingAccount): PlannedRow {
  const { id: _id, slug: _slug, updated_at: _updatedAt, ...stored } = account;
  const fields: AccountFields = { ...stored, ...row.fields };
  const isChanged = accountFields.some((field) => fields[field] !== stored[field]);
  const hasCity = (row.fields.city ?? null) !== null;
  const isByNameOnly = row.id === null && row.slug === null && !hasCity;
  return { line, outcome: isChanged ? 'changed' : 'unchanged', account, fields, isByNameOnly };
}

/** Returns the fields that a planned change gives another value. */
export const listChanges = (account: AccountFields, fields: AccountFields): readonly ImportChange[] =>
  accountFields.flatMap((field) =>
    account[field] === fields[field] ? [] : [{ field, before: account[field], after: fields[field] }],
  );
