/** Queries of the handover page and its printed sheet. */
import type { FunctionInput } from '@lanternrock/contract/functions';
import type {
  HandoverSheetResponse,
  SheetAccount,
  SheetAccountsResponse,
} from '@lanternrock/contract/handover';
import { queryOptions } from '@tanstack/react-query';
import { serverNow } from '../../api/server-clock.ts';
import { shapeError } from '../../api/errors.ts';
import { callFunction } from '../../api/functions.ts';
import type { AccountFilterParams } from '../../shared/account-filter-params.ts';
import { periodStart } from './handover-period.ts';

/** @param period the param of the URL; undefined for the last visit */
export const handoverQuery = (period: string | undefined) =>
  queryOptions({
    queryKey: ['handover', period ?? 'last'],
    queryFn: async () => {
      const since = periodStart(period, serverNow());
      const changes = await callFunction('handover', since === undefined ? {} : { since });
      const sections = [changes.accounts, changes.invitations, changes.settings];
      if (sections.every((section) => Array.isArray(section?.items))) return changes;
      throw shapeError();
    },
  });

/** More would be hundreds of pages. */
const maxSheetAccounts = 20_000;
interface Sheet extends HandoverSheetResponse {
  /** The filter that these accounts match. */
  readonly filter: AccountFilterParams;
  readonly accounts: readonly SheetAccount[];
  readonly truncated: boolean;
  /** RFC 3339. */
  readonly at: string;
}

const readAccounts = async (
  filter: AccountFilterParams,
  signal: AbortSignal,
): Promise<readonly SheetAccount[]> => {
  const { q: search, wide, type, status } = filter;
  // By ID, because a change of the name during the read can move an account to another page.
  const byId = new Map<string, SheetAccount>();
  let after: SheetAccountsResponse['next'] = null;
  do {
    const body: FunctionInput<'sheet-accounts'> = {
      search,
      wide,
      type,
      status,
      ...(after === null ? {} : { after }),
    };
    const page: SheetAccountsResponse = await callFunction('sheet-accounts', body, { signal });
    if (!Array.isArray(page.accounts)) throw shapeError();
    for (const account of page.accounts) byId.set(account.id, account);
    after = page.next;
  } while (after !== null && byId.size <= maxSheetAccounts);
  return [...byId.values()];
};

export const sheetQuery = (filter: AccountFilterParams) =>
  queryOptions({
    queryKey: ['handover-sheet', filter],
    queryFn: async ({ signal }): Promise<Sheet> => {
      const [{ administrators, sender }, accounts] = await Promise.all([
        callFunction('handover-sheet', {}, { signal }),
        readAccounts(filter, signal),
      ]);
      if (!Array.isArray(administrators)) throw shapeError();
      return {
        administrators,
        sender,
        filter,
        accounts: accounts.slice(0, maxSheetAccounts),
        truncated: accounts.length > maxSheetAccounts,
        at: serverNow().toISOString(),
      };
    },
    // A sheet for paper: as of one moment.
    staleTime: 0,
  });
