/** Search params of the accounts screen: filters, list height, open panel and open dialog. */
import { type AccountType, accountTypes } from '@lanternrock/contract/account-types';

export const rowsPerPageOptions = [10, 25, 50, 100] as const;
export type RowsPerPage = (typeof rowsPerPageOptions)[number];
export const defaultRowsPerPage: RowsPerPage = 10;

export interface AccountsSearchParams {
  /** Search text; undefined if empty. */
  q?: string;
  /** Undefined for both types. */
  type?: AccountType;
  /** Number of visible rows; 10 if undefined. */
  rows?: RowsPerPage;
  /** ID of the account in the side panel. */
  account?: string;
  /** True if the dialog for a new account is open. */
  new?: true;
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

/** Returns the valid search params. Invalid ones are ignored, so that old links still work. */
export const validateAccountsSearch = (params: Readonly<Record<string, unknown>>): AccountsSearchParams => {
  const q = toText(params['q']);
  const type = findOption(accountTypes, params['type']);
  const rows = findOption(rowsPerPageOptions, params['rows']);
  const account = toText(params['account']);
  return {
    ...(q === undefined ? {} : { q }),
    ...(type === undefined ? {} : { type }),
    ...(rows === undefined || rows === defaultRowsPerPage ? {} : { rows }),
    ...(account === undefined ? {} : { account }),
    ...(params['new'] === true || params['new'] === 'true' ? { new: true as const } : {}),
  };
};
