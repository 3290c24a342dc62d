/** Search params of the accounts screen: filters, list height, open panel and open dialog. */
import { type AccountOrder, tryParseOrder } from '@lanternrock/contract/account-view';
import { accountFilterParams } from '../../shared/account-filter-params.ts';
import { flagParam, maxSearchLength, optionParam, textParam, type UrlState } from '../../shared/url-state.ts';

export const rowsPerPageOptions = [10, 25, 50, 100] as const;
export type RowsPerPage = (typeof rowsPerPageOptions)[number];
export const defaultRowsPerPage: RowsPerPage = 10;

/** The actions that need input, in a dialog. The others run at once, which a link must not do. */
const accountDialogs = ['edit', 'suspend'] as const;
export type AccountDialog = (typeof accountDialogs)[number];

export const hasDialog = (action: string): action is AccountDialog =>
  accountDialogs.some((each) => each === action);

/** Returns the order as a search param; undefined for the default and for null. */
export const formatOrder = (order: AccountOrder | null): string | undefined => {
  const text = order === null ? undefined : `${order.sort}.${order.direction}`;
  return text === 'created.desc' ? undefined : text;
};

const accountId = textParam(maxSearchLength);
const accountAction = optionParam(accountDialogs);
const panelTab = optionParam(['contacts']);

export const accountsSearchParams = {
  ...accountFilterParams,
  /** Order as `name.asc`; undefined for the newest first. */
  sort: (value: unknown) => formatOrder(typeof value === 'string' ? tryParseOrder(value) : null),
  /** Number of visible rows. */
  rows: optionParam(rowsPerPageOptions, defaultRowsPerPage),
  /** ID of the account in the side panel. */
  account: accountId,
  /** The open dialog of the account in the side panel. */
  action: (value: unknown, params: Readonly<Record<string, unknown>>) =>
    accountId(params['account']) === undefined ? undefined : accountAction(value),
  /** The tab that the side panel opens with; undefined for the members. */
  tab: (value: unknown, params: Readonly<Record<string, unknown>>) =>
    accountId(params['account']) === undefined ? undefined : panelTab(value),
  /** True if the dialog for a new account is open. */
  new: flagParam,
};

export type AccountsSearchParams = UrlState<typeof accountsSearchParams>;
