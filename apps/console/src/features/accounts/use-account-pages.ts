/** The pages of accounts that match a filter of the service. */
import type { AccountRow } from '@lanternrock/contract/rows';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { enabledIf } from '../../api/runtime-config.ts';
import type { AccountFilter } from './account-filter.ts';
import { firstPageQuery, laterPageQuery, type AccountsPage } from './accounts-list.ts';

/** Loads the first page and the pages of the visible rows. */
export const useAccountPages = (filter: AccountFilter, enabled: boolean) => {
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
    /** The error of the first page, if there are no rows to show. */
    error: enabled && first.data === undefined ? first.error : null,
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
