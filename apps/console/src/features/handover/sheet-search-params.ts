/** Search params of the emergency sheet: the filter of the accounts screen, with the same names. */
import { accountTypes } from '@lanternrock/contract/account-types';
import { statusFilters } from '@lanternrock/contract/account-view';
import { optionParam, textParam, type UrlState } from '../../shared/url-state.ts';

export const maxSearchLength = 200;

export const sheetSearchParams = {
  q: textParam(maxSearchLength),
  /** Undefined for both types. */
  type: optionParam(accountTypes),
  /** Undefined for all statuses. */
  status: optionParam(statusFilters),
};

export type SheetFilter = UrlState<typeof sheetSearchParams>;
