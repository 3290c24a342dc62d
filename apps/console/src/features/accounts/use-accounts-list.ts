/**
 * The list of the accounts screen. If all accounts are loaded, the browser filters them, synchronously and
 * offline. Otherwise the service filters, and the loaded rows are filtered until it responds.
 */
import type { AccountRow } from '@lanternrock/contract/rows';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { enabledIf } from '../../api/runtime-config.ts';
import {
  accountsKey,
  cachedAccounts,
  combineAccounts,
  firstPageQuery,
  shouldLoadAllAccounts,
  allAccountsQuery,
  type AccountsPage,
} from './accounts-list.ts';
import {
  accountFilter,
  type AccountFilter,
  createAccountMatcher,
  isFiltering,
  isSameFilter,
} from './account-filter.ts';
import { useAccountPages } from './use-account-pages.ts';

export interface AccountsList {
  /** True while there are no rows to show. */
  readonly loading: boolean;
  /** The error that is shown instead of rows. */
  readonly error: Error | null;
  /** Time of the latest error that persists, in milliseconds, also if rows are shown; 0 for none. */
  readonly failedAt: number;
  readonly latestError: Error | null;
  /** True while matching rows may be missing, because the service has not responded. */
  readonly incomplete: boolean;
  /** True while a query is running. */
  readonly busy: boolean;
  readonly retry: () => void;
  /** Number of matching accounts or, while `incomplete`, of the loaded ones among them. */
  readonly total: number;
  /** True if there is no account, independent of the filter. */
  readonly empty: boolean;
  /** Returns the row at an index of the list; undefined while its page is loading. */
  readonly rowAt: (index: number) => AccountRow | undefined;
  /** Loads the pages of the rows from `from` to `to`, both inclusive. */
  readonly loadRange: (from: number, to: number) => void;
  /** Every account, or undefined if they are not all loaded. */
  readonly allRows: readonly AccountRow[] | undefined;
  /** The newest accounts, at most one page. */
  readonly newest: readonly AccountRow[];
  readonly find: (id: string) => AccountRow | undefined;
}

const noRows: readonly AccountRow[] = [];

/**
 * @param requested the filter in the search box, for filtering in the browser
 * @param requestedDebounced the filter after a pause in typing, for filtering in the service
 */
export const useAccountsList = (
  requested: AccountFilter,
  requestedDebounced: AccountFilter,
): AccountsList => {
  const client = useQueryClient();
  const newest = useQuery(firstPageQuery());
  const [first, sort] = useSortedFirstPage(newest, requested.sort);
  const current = useMemo(() => ({ ...requested, sort }), [requested, sort]);
  const debounced = useMemo(() => ({ ...requestedDebounced, sort }), [requestedDebounced, sort]);
  const all = useQuery({
    ...allAccountsQuery(sort),
    ...enabledIf(useDelayed(first.isSuccess) && shouldLoadAllAccounts(first.data)),
  });
  const allRows = useMemo(() => combineAccounts(first.data, all.data), [first.data, all.data]);
  const isMissingRows = first.data !== undefined && allRows === undefined;
  // A service without totals may not support our filters either, so all its pages are read.
  const isServiceFiltering = isMissingRows && first.data.total !== null;
  const pages = useAccountPages(debounced, isServiceFiltering);
  useEffect(() => {
    if (!isFiltering(debounced)) return;
    // Matching accounts may have been created since the list was loaded.
    void client.refetchQueries({ queryKey: accountsKey, type: 'active', stale: true });
  }, [client, debounced]);
  const isCurrent = isSameFilter(current, debounced);
  const hasResponse = pages.error !== null || (isCurrent && pages.first !== undefined);
  const incomplete = isMissingRows && !(isServiceFiltering && hasResponse);
  const filteredRows = useMemo(() => {
    // Rows of cached pages have no common order, except that of their creation.
    const loaded = (): readonly AccountRow[] =>
      sort === undefined ? cachedAccounts(client) : (first.data?.rows ?? noRows);
    return (incomplete ? loaded() : allRows)?.filter(createAccountMatcher(current));
  }, [client, allRows, incomplete, current, sort, first.data]);
  // Without a total, the number of accounts is known only after all pages are loaded.
  const queries = [
    ...(first === newest ? [newest] : [newest, first]),
    ...(first.data?.total === null ? [all] : []),
    ...pages.queries,
  ];
  // A query that has recovered keeps the time of its last error.
  const [latest] = queries
    .filter(({ error }) => error !== null)
    .toSorted((a, b) => b.errorUpdatedAt - a.errorUpdatedAt);
  const total = filteredRows?.length ?? pages.total;
  const firstPageError = first.data === undefined ? first.error : null;
  return {
    loading: first.isPending || (incomplete && total === 0),
    error: firstPageError ?? pages.error,
    failedAt: latest?.errorUpdatedAt ?? 0,
    latestError: latest?.error ?? null,
    incomplete,
    busy: queries.some((query) => query.isFetching),
    retry: () => {
      for (const query of queries) if (query.isError) void query.refetch();
    },
    total,
    empty: first.data?.total === 0,
    rowAt: (index) => (filteredRows === undefined ? pages.rowAt(index) : filteredRows[index]),
    loadRange: pages.loadRange,
    allRows,
    newest: newest.data?.rows ?? noRows,
    find: (id) => (allRows ?? cachedAccounts(client)).find((row) => row.id === id),
  };
};

/**
 * Returns the first page of the requested order, and this order. While it loads, the rows of the previous order stay.
 */
const useSortedFirstPage = (
  newest: ReturnType<typeof useQuery<AccountsPage>>,
  requestedSort: string | undefined,
) => {
  const [shownSort, setShownSort] = useState(requestedSort);
  const toOptions = (sort: string | undefined) => ({
    ...firstPageQuery(accountFilter(undefined, undefined, { sort })),
    ...enabledIf(sort !== undefined),
  });
  const requested = useQuery(toOptions(requestedSort));
  const shown = useQuery(toOptions(shownSort));
  const isReady = requestedSort === undefined || !requested.isPending;
  if (isReady && shownSort !== requestedSort) setShownSort(requestedSort);
  return [shownSort === undefined ? newest : shown, shownSort] as const;
};

/** Milliseconds between the first page and the query for the remaining accounts. */
const remainingRowsDelayMs = 300;

/**
 * Returns true a short time after `ready`. Delays queries that the initial view does not need until it is
 * painted.
 */
const useDelayed = (ready: boolean): boolean => {
  const [isElapsed, setIsElapsed] = useState(false);
  useEffect(() => {
    if (!ready) return undefined;
    const timer = setTimeout(() => setIsElapsed(true), remainingRowsDelayMs);
    return () => clearTimeout(timer);
  }, [ready]);
  return isElapsed;
};
