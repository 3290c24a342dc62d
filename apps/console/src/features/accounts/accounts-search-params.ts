/** What the address of the accounts screen says: filters, list height, open panel, open dialog. */
import { type AccountType, accountTypes } from '@lanternrock/contract/account-types';

export const rowsPerPageOptions = [10, 25, 50, 100] as const;
export type RowsPerPage = (typeof rowsPerPageOptions)[number];
export const defaultRowsPerPage: RowsPerPage = 10;

export interface AccountsSearchParams {
  /** Searched text; absent when empty. */
  q?: string;
  /** Absent: both types. */
  type?: AccountType;
  /** Rows the list shows at once; absent: 10. */
  rows?: RowsPerPage;
  /** Id of the account in the side panel. */
  account?: string;
  /** The dialog for a new account is open. */
  new?: true;
}

/** No account has a longer name, and no address should carry more. */
export const maxSearchLength = 200;

/** The router reads `?q=112` as a number and `?q=true` as a truth value; here they are text. */
const textOf = (value: unknown): string | undefined => {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined;
  const text = String(value);
  return text === '' ? undefined : text.slice(0, maxSearchLength);
};

const oneOf = <Choice>(choices: readonly Choice[], value: unknown): Choice | undefined =>
  choices.find((choice) => choice === value || String(choice) === value);

/** Reads search params of any origin; what makes no sense is left out, so that old links still open. */
export const validateAccountsSearch = (params: Readonly<Record<string, unknown>>): AccountsSearchParams => {
  const q = textOf(params['q']);
  const type = oneOf(accountTypes, params['type']);
  const rows = oneOf(rowsPerPageOptions, params['rows']);
  const account = textOf(params['account']);
  return {
    ...(q === undefined ? {} : { q }),
    ...(type === undefined ? {} : { type }),
    ...(rows === undefined || rows === defaultRowsPerPage ? {} : { rows }),
    ...(account === undefined ? {} : { account }),
    ...(params['new'] === true || params['new'] === 'true' ? { new: true as const } : {}),
  };
};
