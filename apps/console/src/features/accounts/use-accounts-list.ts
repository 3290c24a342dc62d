/**
 * The list on the accounts screen. Where every account is here, filters run in the browser, synchronously
 * and offline. Beyond that the service filters; meanwhile the rows that are here are filtered.
 */
import type { AccountRow } from '@lanternrock/contract/rows';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import {
  type AccountsPage,
  accountsKey,
  cachedAccounts,
  everyAccount,
  firstPageQuery,
  keepsEveryAccount,
  keptAccountsQuery,
  laterPageQuery,
} from './accounts-list.ts';
import { type AccountFilter, createAccountMatcher } from './account-filter.ts';

export interface AccountsList {
  /** There is nothing to show yet. */
  readonly loading: boolean;
  /** Why there is nothing to show. */
  readonly failure: Error | null;
  /** Time of the latest failed read, for the message. */
  readonly failedAt: number;
  readonly latestError: Error | null;
  /** Rows that pass the filter may be missing, because the service has not responded yet. */
  readonly incomplete: boolean;
  /** A read is running. */
  readonly busy: boolean;
  readonly retry: () => void;
  /** Rows of the list: accounts that pass the filter, or, while `incomplete`, those known by now. */
  readonly total: number;
  /** True when there is no account at all. */
  readonly empty: boolean;
  /** The row at a place of the list; undefined while its page is loading. */
  readonly rowAt: (index: number) => AccountRow | undefined;
  /** Called by a long list with the first and the last row in view. Loads their pages. */
  readonly show: (from: number, to: number) => void;
  /** Every account, or undefined when there are too many to keep. */
  readonly everyRow: readonly AccountRow[] | undefined;
  /** The newest accounts, at most one page. */
  readonly newest: readonly AccountRow[];
  readonly find: (id: string) => AccountRow | undefined;
}

const noRows: readonly AccountRow[] = [];

/** Overrides the cache's default, which waits for the session, only to switch a read off. */
const only = (wanted: boolean): { enabled?: false } => (wanted ? {} : { enabled: false });

/**
 * @param typed the filter as it stands in the search box, for filtering here.
 * @param settled the filter once typing has paused, for filtering in the service.
 */
export const useAccountsList = (typed: AccountFilter, settled: AccountFilter): AccountsList => {
  const client = useQueryClient();
  const newest = useQuery(firstPageQuery());
  const kept = useQuery({
    ...keptAccountsQuery,
    ...only(useLater(newest.isSuccess) && keepsEveryAccount(newest.data)),
  });
  const every = useMemo(() => everyAccount(newest.data, kept.data), [newest.data, kept.data]);
  const isMissingRows = newest.data !== undefined && every === undefined;
  // A service without totals need not know our filters either: all pages are read from it.
  const byService = isMissingRows && newest.data.total !== null;
  const pages = usePages(settled, byService);
  useEffect(() => {
    if (settled.text === '' && settled.type === undefined) return;
    // Others may have created what is searched for since the list was read.
    void client.refetchQueries({ queryKey: accountsKey, type: 'active', stale: true });
  }, [client, settled.text, settled.type]);
  const isSettled = typed.text === settled.text && typed.type === settled.type;
  const isAnswered = pages.failed || (isSettled && pages.first !== undefined);
  const incomplete = isMissingRows && !(byService && isAnswered);
  const here = useMemo(() => {
    const rows = incomplete ? cachedAccounts(client) : every;
    return rows?.filter(createAccountMatcher(typed));
  }, [client, every, incomplete, typed]);
  // Without a total, only all pages say how many accounts there are.
  const reads = newest.data?.total === null ? [newest, kept, ...pages.reads] : [newest, ...pages.reads];
  const latest = reads.reduce((a, b) => (b.errorUpdatedAt > a.errorUpdatedAt ? b : a));
  const total = here?.length ?? pages.total;
  const firstFailure = newest.data === undefined ? newest.error : null;
  return {
    loading: newest.isPending || (incomplete && total === 0),
    failure: byService && pages.failed ? latest.error : firstFailure,
    failedAt: latest.errorUpdatedAt,
    latestError: latest.error,
    incomplete,
    busy: reads.some((read) => read.isFetching),
    retry: () => {
      for (const read of reads) if (read.isError) void read.refetch();
    },
    total,
    empty: newest.data?.total === 0,
    rowAt: (index) => (here === undefined ? pages.rowAt(index) : here[index]),
    show: pages.show,
    everyRow: every,
    newest: newest.data?.rows ?? noRows,
    find: (id) => (every ?? cachedAccounts(client)).find((row) => row.id === id),
  };
};

/** Milliseconds that the first rows have been shown before the rest is read. */
const restPauseMs = 300;

/** True from a moment after `begun`: what is not needed for the first view waits until it is painted. */
const useLater = (begun: boolean): boolean => {
  const [isLater, setIsLater] = useState(false);
  useEffect(() => {
    if (!begun) return undefined;
    const timer = setTimeout(() => setIsLater(true), restPauseMs);
    return () => clearTimeout(timer);
  }, [begun]);
  return isLater;
};

/** The pages of a filter, as far as they are in view. */
const usePages = (filter: AccountFilter, enabled: boolean) => {
  const client = useQueryClient();
  const [range, setRange] = useState({ from: 0, to: 0 });
  const first = useQuery({ ...firstPageQuery(filter), ...only(enabled) });
  const size = Math.max(1, first.data?.rows.length ?? 1);
  const total = first.data === undefined ? 0 : (first.data.total ?? first.data.rows.length);
  const last = Math.ceil(total / size) - 1;
  const upper = useLaterPage(filter, Math.min(range.from, last), enabled ? first.data : undefined);
  const lower = useLaterPage(filter, Math.min(range.to, last), enabled ? first.data : undefined);
  // Rows were deleted since the first page was read: its total is too high, and rows would wait forever.
  const isTotalTooHigh = [upper, lower].some(
    ({ index, read }) =>
      read.isSuccess &&
      !read.isPlaceholderData &&
      read.data.rows.length < Math.min(size, total - index * size),
  );
  const { refetch } = first;
  useEffect(() => {
    if (isTotalTooHigh) void refetch();
  }, [isTotalTooHigh, refetch]);
  return {
    first: first.data,
    /** The first page could not be read. */
    failed: first.data === undefined && first.isError,
    reads: enabled ? [first, upper.read, lower.read] : [],
    total,
    rowAt: (index: number): AccountRow | undefined => {
      const page = Math.floor(index / size);
      if (first.data === undefined || page === 0) return first.data?.rows[index];
      const shown = [upper, lower].find((each) => each.index === page);
      const cached = client.getQueryData<AccountsPage>(laterPageQuery(filter, page, first.data).queryKey);
      return (shown?.read.data ?? cached)?.rows[index % size];
    },
    show: useCallback(
      (from: number, to: number) => {
        const next = { from: Math.floor(from / size), to: Math.floor(to / size) };
        setRange((old) => (old.from === next.from && old.to === next.to ? old : next));
      },
      [size],
    ),
  };
};

const noPage: AccountsPage = { rows: [], total: 0 };

/** Reads one page behind the first one; with `index` 0, or before the first one is here, none. */
const useLaterPage = (filter: AccountFilter, index: number, first: AccountsPage | undefined) => {
  const client = useQueryClient();
  const query = laterPageQuery(filter, index, first ?? noPage);
  const read = useQuery({
    ...query,
    ...only(index > 0 && first !== undefined),
    // The page as it was before rows moved is shown while the exact one is read.
    placeholderData: () =>
      client
        .getQueriesData<AccountsPage>({ queryKey: query.queryKey.slice(0, -1) })
        .findLast(([, page]) => page !== undefined)?.[1],
  });
  return { index, read };
};
