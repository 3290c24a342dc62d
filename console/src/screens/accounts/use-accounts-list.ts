/**
 * The one continuous list. While the first answer holds every account, filters run here, at once and
 * offline; beyond that they run in the service, and rows come in windows as they scroll into view.
 */
import type { AccountRow } from '@lanternrock/contract/rows';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { accountsKey, accountsQuery, type CountedAccounts } from '../../accounts-list.ts';
import { type AccountFilter, accountMatcher } from './account-filter.ts';
import { editionOf, windowQuery, windowSize } from './account-windows.ts';

export interface AccountsList {
  /** The very first answer is not there yet. */
  readonly loading: boolean;
  /** Why there is nothing to show; null while older data can be shown. */
  readonly failure: Error | null;
  /** Time of the latest failed read, for the message. */
  readonly failedAt: number;
  readonly latestError: Error | null;
  /** Rows on screen do not answer the latest filter yet. */
  readonly outdated: boolean;
  /** A read is running. */
  readonly busy: boolean;
  readonly retry: () => void;
  /** Accounts that pass the filter. */
  readonly total: number;
  /** True when there is no account at all. */
  readonly empty: boolean;
  /** The row at a place of the list; undefined while its window is on the way. */
  readonly rowAt: (index: number) => AccountRow | undefined;
  /** Told by a long list which rows are in view. */
  readonly show: (from: number, to: number) => void;
  /** Every account, or undefined when there are too many to hold. */
  readonly everyRow: readonly AccountRow[] | undefined;
  /** At least the first rows of the list. */
  readonly newest: readonly AccountRow[];
  readonly find: (id: string) => AccountRow | undefined;
}

const noRows: readonly AccountRow[] = [];

/**
 * @param typed the filter as it stands in the search box, for filtering here.
 * @param settled the filter once typing has paused, for filtering in the service.
 */
export const useAccountsList = (typed: AccountFilter, settled: AccountFilter): AccountsList => {
  const all = useQuery(accountsQuery);
  const loaded = all.data?.rows ?? noRows;
  const complete = all.data === undefined || loaded.length >= all.data.total;
  const matching = useMemo(
    () => (complete ? loaded.filter(accountMatcher(typed)) : noRows),
    [complete, loaded, typed],
  );
  const windows = useWindows(settled, !complete);
  const latest = complete || all.errorUpdatedAt > windows.failedAt ? all : windows;
  const rowAt = (index: number): AccountRow | undefined =>
    complete ? matching[index] : windows.rowAt(index);
  return {
    loading: all.isPending || (!complete && windows.pending),
    failure: all.data === undefined ? all.error : complete ? null : windows.failure,
    failedAt: Math.max(all.errorUpdatedAt, windows.failedAt),
    latestError: latest === all ? all.error : windows.error,
    outdated: !complete && windows.outdated,
    busy: all.isFetching || windows.busy,
    retry: () => {
      if (all.isError) void all.refetch();
      windows.retry();
    },
    total: complete ? matching.length : windows.total,
    empty: all.data !== undefined && all.data.total === 0,
    rowAt,
    show: windows.show,
    everyRow: complete && all.data !== undefined ? loaded : undefined,
    newest: complete ? loaded : windows.newest,
    find: (id) => loaded.find((row) => row.id === id) ?? windows.find(id),
  };
};

/** One window behind the first; `index` 0 reads none. */
const useWindow = (filter: AccountFilter, index: number, head: CountedAccounts | undefined) => {
  const client = useQueryClient();
  const edition = editionOf(head);
  const cached = (...key: readonly unknown[]): CountedAccounts | undefined =>
    client
      .getQueriesData<CountedAccounts>({ queryKey: [...accountsKey, 'window', filter, ...key] })
      .findLast(([, data]) => data !== undefined)?.[1];
  const before = (index === 1 ? head : cached(index - 1, edition))?.rows.at(-1);
  return useQuery({
    ...windowQuery(filter, index, edition, before),
    enabled: index > 0,
    // A window read by counting, or before rows moved, is shown while the exact one comes.
    placeholderData: () => cached(index),
  });
};

const useWindows = (filter: AccountFilter, enabled: boolean) => {
  const [range, setRange] = useState({ first: 0, last: 0 });
  const head = useQuery({
    ...windowQuery(filter, 0, '', undefined),
    ...(enabled ? {} : { enabled }),
    placeholderData: keepPreviousData,
  });
  const total = head.data?.total ?? 0;
  const start = Math.max(1, range.first);
  const end = Math.min(range.last, Math.ceil(total / windowSize) - 1);
  // What is in view is shorter than a window, so it lies in two of them at most.
  const behindFirst = enabled && !head.isPlaceholderData && start <= end;
  const [upper, lower] = behindFirst ? [start, end] : [0, 0];
  const upperWindow = useWindow(filter, upper, head.data);
  const lowerWindow = useWindow(filter, lower, head.data);
  const results = upper === 0 ? [] : upper === lower ? [upperWindow] : [upperWindow, lowerWindow];
  const broken = results.find((result) => result.isError);
  return {
    pending: head.isPending,
    failure: head.data === undefined ? head.error : null,
    error: broken?.error ?? head.error,
    failedAt: enabled ? Math.max(head.errorUpdatedAt, ...results.map((result) => result.errorUpdatedAt)) : 0,
    outdated: head.isPlaceholderData,
    busy: head.isFetching || results.some((result) => result.isFetching),
    retry: () => {
      if (head.isError) void head.refetch();
      for (const result of results) if (result.isError) void result.refetch();
    },
    total,
    newest: head.data?.rows ?? noRows,
    rowAt: (index: number): AccountRow | undefined => {
      const number = Math.floor(index / windowSize);
      if (number === 0) return head.data?.rows[index];
      const window = number === upper ? upperWindow : number === lower ? lowerWindow : undefined;
      return window?.data?.rows[index % windowSize];
    },
    show: useCallback((from: number, to: number) => {
      const next = { first: Math.floor(from / windowSize), last: Math.floor(to / windowSize) };
      setRange((old) => (old.first === next.first && old.last === next.last ? old : next));
    }, []),
    find: (id: string): AccountRow | undefined =>
      [head.data, ...results.map((result) => result.data)]
        .flatMap((each) => each?.rows ?? [])
        .find((row) => row.id === id),
  };
};
