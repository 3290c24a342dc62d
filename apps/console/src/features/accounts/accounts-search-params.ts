/** Search params of the accounts screen: filters, list height, open panel and open dialog. */
import { type AccountType, accountTypes } from '@lanternrock/contract/account-types';
import {
  type AccountOrder,
  type StatusFilter,
  statusFilters,
  tryParseOrder,
} from '@lanternrock/contract/account-view';
import { textParam } from '../../ui/text-param.ts';

export const rowsPerPageOptions = [10, 25, 50, 100] as const;
export type RowsPerPage = (typeof rowsPerPageOptions)[number];
export const defaultRowsPerPage: RowsPerPage = 10;

export interface AccountsSearchParams {
  /** Search text; undefined if empty. */
  q?: string | undefined;
  /** Undefined for both types. */
  type?: AccountType | undefined;
  /** Undefined for all statuses. */
  status?: StatusFilter | undefined;
  /** Order as `name.asc`; undefined for the newest first. */
  sort?: string | undefined;
  /** Number of visible rows; 10 if undefined. */
  rows?: RowsPerPage | undefined;
  /** ID of the account in the side panel. */
  account?: string | undefined;
  /** True if the dialog for a new account is open. */
  new?: true | undefined;
  /** The open dialog of the account in the side panel. */
  action?: AccountAction | undefined;
}

const accountActions = ['edit', 'suspend', 'reactivate', 'archive', 'restore'] as const;
export type AccountAction = (typeof accountActions)[number];

/** Maximum length of the search text, which is the maximum length of an account name. */
export const maxSearchLength = 200;

const findOption = <Option>(options: readonly Option[], value: unknown): Option | undefined =>
  options.find((option) => option === value || String(option) === value);

/** Returns the order as a search param; undefined for the default. */
export const formatOrder = (order: AccountOrder | undefined): string | undefined => {
  const text = order === undefined ? undefined : `${order.sort}.${order.direction}`;
  return text === 'created.desc' ? undefined : text;
};

/**
 * Returns the valid search params. Invalid ones are left out, so that old links still work; a key with the value
 * undefined would remove the param from the URL.
 */
export const validateAccountsSearch = (params: Readonly<Record<string, unknown>>): AccountsSearchParams => {
  const search: AccountsSearchParams = {};
  const q = textParam(params['q'], maxSearchLength);
  if (q !== undefined) search.q = q;
  const type = findOption(accountTypes, params['type']);
  if (type !== undefined) search.type = type;
  const status = findOption(statusFilters, params['status']);
  if (status !== undefined) search.status = status;
  const sort = formatOrder(tryParseOrder(textParam(params['sort'], maxSearchLength) ?? ''));
  if (sort !== undefined) search.sort = sort;
  const rows = findOption(rowsPerPageOptions, params['rows']);
  if (rows !== undefined && rows !== defaultRowsPerPage) search.rows = rows;
  const account = textParam(params['account'], maxSearchLength);
  if (account !== undefined) search.account = account;
  const action = findOption(accountActions, params['action']);
  if (account !== undefined && action !== undefined) search.action = action;
  if (params['new'] === true || params['new'] === 'true') search.new = true;
  return search;
};
