/** Search params of the accounts screen: filters, list height, open panel and open dialog. */
import { type AccountType, accountTypes } from '@lanternrock/contract/account-types';

export const rowsPerPageOptions = [10, 25, 50, 100] as const;
export type RowsPerPage = (typeof rowsPerPageOptions)[number];
export const defaultRowsPerPage: RowsPerPage = 10;

export interface AccountsSearchParams {
  /** Search text; undefined if empty. */
  q?: string | undefined;
  /** Undefined for both types. */
  type?: AccountType | undefined;
  /** Number of visible rows; 10 if undefined. */
  rows?: RowsPerPage | undefined;
  /** ID of the account in the side panel. */
  account?: string | undefined;
  /** True if the dialog for a new account is open. */
  new?: true | undefined;
}

/** Maximum length of the search text, which is the maximum length of an account name. */
export const maxSearchLength = 200;

/** Converts to text, because the router parses `?q=112` as a number and `?q=true` as a boolean. */
const toText = (value: unknown): string | undefined => {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined;
  const text = String(value);
  return text === '' ? undefined : text.slice(0, maxSearchLength);
};

const findOption = <Option>(options: readonly Option[], value: unknown): Option | undefined =>
  options.find((option) => option === value || String(option) === value);

/**
 * Returns the valid search params. Invalid ones are left out, so that old links still work; a key with the value
 * undefined would remove the param from the URL.
 */
export const validateAccountsSearch = (params: Readonly<Record<string, unknown>>): AccountsSearchParams => {
  const search: AccountsSearchParams = {};
  const q = toText(params['q']);
  if (q !== undefined) search.q = q;
  const type = findOption(accountTypes, params['type']);
  if (type !== undefined) search.type = type;
  const rows = findOption(rowsPerPageOptions, params['rows']);
  if (rows !== undefined && rows !== defaultRowsPerPage) search.rows = rows;
  const account = toText(params['account']);
  if (account !== undefined) search.account = account;
  if (params['new'] === true || params['new'] === 'true') search.new = true;
  return search;
};
