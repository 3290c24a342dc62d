/** What the address of the accounts screen says: filters, list height, open panel, open dialog. */
import { type AccountType, accountTypes } from '@lanternrock/contract/account-types';

export const listHeights = [10, 25, 50, 100] as const;
export type ListHeight = (typeof listHeights)[number];
export const defaultListHeight: ListHeight = 10;

export interface AccountsSearch {
  /** Searched text; absent when empty. */
  q?: string;
  /** Absent: both types. */
  type?: AccountType;
  /** Rows the list shows at once; absent: 10. */
  rows?: ListHeight;
  /** Id of the account in the side panel. */
  account?: string;
  /** The dialog for a new account is open. */
  new?: true;
}

/** No account has a longer name, and no address should carry more. */
export const longestSearch = 200;

/** The router reads `?q=112` as a number and `?q=true` as a truth value; here they are text. */
const textOf = (value: unknown): string | undefined => {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined;
  const text = String(value);
  return text === '' ? undefined : text.slice(0, longestSearch);
};

const oneOf = <Choice>(choices: readonly Choice[], value: unknown): Choice | undefined =>
  choices.find((choice) => choice === value || String(choice) === value);

/** Reads search params of any origin; what makes no sense is left out, so that old links still open. */
export const readAccountsSearch = (params: Readonly<Record<string, unknown>>): AccountsSearch => {
  const q = textOf(params['q']);
  const type = oneOf(accountTypes, params['type']);
  const rows = oneOf(listHeights, params['rows']);
  const account = textOf(params['account']);
  return {
    ...(q === undefined ? {} : { q }),
    ...(type === undefined ? {} : { type }),
    ...(rows === undefined || rows === defaultListHeight ? {} : { rows }),
    ...(account === undefined ? {} : { account }),
    ...(params['new'] === true || params['new'] === 'true' ? { new: true as const } : {}),
  };
};
