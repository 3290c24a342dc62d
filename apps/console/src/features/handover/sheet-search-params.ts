/** Search params of the emergency sheet: the filter of the accounts screen, with the same names. */
import { accountTypes } from '@lanternrock/contract/account-types';
import { statusFilters } from '@lanternrock/contract/account-view';
import { flagParam, optionParam, textParam, type UrlState } from '../../shared/url-state.ts';

export const maxSearchLength = 200;

const searchText = textParam(maxSearchLength);

export const sheetSearchParams = {
  q: searchText,
  /** True for words in city, state and contacts as well. */
  wide: (value: unknown, params: Readonly<Record<string, unknown>>) =>
    searchText(params['q']) === undefined ? undefined : flagParam(value),
  /** Undefined for both types. */
  type: optionParam(accountTypes),
  /** Undefined for all statuses. */
  status: optionParam(statusFilters),
};

export type SheetFilter = UrlState<typeof sheetSearchParams>;
