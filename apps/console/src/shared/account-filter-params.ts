/** Search params of the filter of accounts, on the accounts screen and on the emergency sheet. */
import { accountTypes } from '@lanternrock/contract/account-types';
import { statusFilters } from '@lanternrock/contract/account-view';
import { flagParam, maxSearchLength, optionParam, textParam, type UrlState } from './url-state.ts';

const searchText = textParam(maxSearchLength);

export const accountFilterParams = {
  q: searchText,
  /** True for words in city, state and contacts as well. */
  wide: (value: unknown, params: Readonly<Record<string, unknown>>) =>
    searchText(params['q']) === undefined ? undefined : flagParam(value),
  /** Undefined for both types. */
  type: optionParam(accountTypes),
  /** Undefined for all statuses. */
  status: optionParam(statusFilters),
};

export type AccountFilterParams = UrlState<typeof accountFilterParams>;
