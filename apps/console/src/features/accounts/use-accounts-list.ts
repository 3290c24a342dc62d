/**
 * The list of the accounts screen. If all accounts are loaded, the browser filters them, synchronously and
 * offline. Otherwise the service filters, and the loaded rows are filtered until it responds.
 */
import type { AccountRow } from '@lanternrock/contract/rows';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { enabledIf } from '../../api/runtime-config.ts';
import {
  accountsKey,
  cachedAccounts,
  combineAccounts,
  firstPageQuery,
  shouldLoadAllAccounts,
  allAccountsQuery,
  laterPageQuery,
  type AccountsPage,
} from './accounts-list.ts';
import {
  accountFilter,
  type AccountFilter,
  createAccountMatcher,
  isFiltering,
  isSameFilter,
} from './account-filter.ts';

export interface AccountsList {
  /** True while there are no rows to show. */
  readonly loading: boolean;
  /** The error that is shown instead of rows. */
  readonly error: Error | null;
  /** Time of the latest error in milliseconds, also if rows are shown; 0 for none. */
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
  const pages = usePages(debounced, isServiceFiltering);
  useEffect(() => {
    if (!isFiltering(debounced)) return;
    // Matching accounts may have been created since the list was loaded.
    void client.refetchQueries({ queryKey: accountsKey, type: 'active', stale: true });
  }, [client, debounced]);
  const isCurrent = isSameFilter(current, debounced);
  const hasResponse = pages.failed || (isCurrent && pages.first !== undefined);
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
  const latest = queries.reduce((a, b) => (b.errorUpdatedAt > a.errorUpdatedAt ? b : a));
  const total = filteredRows?.length ?? pages.total;
  const firstPageError = first.data === undefined ? first.error : null;
  return {
    loading: first.isPending || (incomplete && total === 0),
    error: isServiceFiltering && pages.failed ? latest.error : firstPageError,
    failedAt: latest.errorUpdatedAt,
    latestError: latest.error,
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
  const load = (sort: string | undefined) => ({
    ...firstPageQuery(accountFilter(undefined, undefined, { sort })),
    ...enabledIf(sort !== undefined),
  });
  const requested = useQuery(load(requestedSort));
  const shown = useQuery(load(shownSort));
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

/** Loads the visible pages of a filter. */
const usePages = (filter: AccountFilter, enabled: boolean) => {
  const client = useQueryClient();
  const [range, setRange] = useState({ from: 0, to: 0 });
  const first = useQuery({ ...firstPageQuery(filter), ...enabledIf(enabled) });
  const size = Math.max(1, first.data?.rows.length ?? 1);
  const total = first.data === undefined ? 0 : (first.data.total ?? first.data.rows.length);
  const last = Math.ceil(total / size) - 1;
  const upper = useLaterPage(filter, Math.min(range.from, last), enabled ? first.data : undefined);
  const lower = useLaterPage(filter, Math.min(range.to, last), enabled ? first.data : undefined);
  // If rows were deleted after the first page was loaded, its total is too high, and the last rows would
  // never load.
  const isTotalTooHigh = [upper, lower].some(
    ({ index, query }) =>
      query.isSuccess &&
      !query.isPlaceholderData &&
      query.data.rows.length < Math.min(size, total - index * size),
  );
  const { refetch } = first;
  useEffect(() => {
    if (isTotalTooHigh) void refetch();
  }, [isTotalTooHigh, refetch]);
  return {
    first: first.data,
    /** True if the first page could not be loaded. */
    failed: first.data === undefined && first.isError,
    queries: enabled ? [first, upper.query, lower.query] : [],
    total,
    rowAt: (index: number): AccountRow | undefined => {
      const page = Math.floor(index / size);
      if (first.data === undefined || page === 0) return first.data?.rows[index];
      const shown = [upper, lower].find((each) => each.index === page);
      const cached = client.getQueryData<AccountsPage>(laterPageQuery(filter, page, first.data).queryKey);
      return (shown?.query.data ?? cached)?.rows[index % size];
    },
    loadRange: useCallback(
      (from: number, to: number) => {
        const next = { from: Math.floor(from / size), to: Math.floor(to / size) };
        setRange((old) => (old.from === next.from && old.to === next.to ? old : next));
      },
      [size],
    ),
  };
};

const noPage: AccountsPage = { rows: [], total: 0 };

/** Loads one page after the first one. Disabled for `index` 0 and until the first page is loaded. */
const useLaterPage = (filter: AccountFilter, index: number, first: AccountsPage | undefined) => {
  const client = useQueryClient();
  const options = laterPageQuery(filter, index, first ?? noPage);
  const query = useQuery({
    ...options,
    ...enabledIf(index > 0 && first !== undefined),
    // Shows the page of an earlier list while the current one is loading.
    placeholderData: () =>
      client
        .getQueriesData<AccountsPage>({ queryKey: options.queryKey.slice(0, -1) })
        .findLast(([, page]) => page !== undefined)?.[1],
  });
  return { index, query };
};
