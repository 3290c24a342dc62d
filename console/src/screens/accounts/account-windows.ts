/** Windows of a list of accounts too long for the browser: filtered and sorted by the service. */
import type { AccountRow } from '@lanternrock/contract/rows';
import { queryOptions } from '@tanstack/react-query';
import { accountsKey, countedAccounts, type CountedAccounts } from '../../accounts-list.ts';
import { backend, unwrapCounted } from '../../backend.ts';
import { textCondition } from '../../search-condition.ts';
import { searchedColumns, type AccountFilter } from './account-filter.ts';

/** Rows of one window of a list too long for the browser. */
export const windowSize = 200;

const filteredAccounts = (filter: AccountFilter, withCount: boolean) => {
  const call = backend.from('accounts').select('*', withCount ? { count: 'exact' } : {});
  if (filter.type !== undefined) call.eq('account_type', filter.type);
  if (filter.text !== '') call.or(textCondition(searchedColumns(filter.text), filter.text));
  return call;
};

/** One row more or less moves all behind it: only windows that were read beside the same first one follow one another. */
export const editionOf = (head: CountedAccounts | undefined): string =>
  head === undefined ? '' : `${head.total} ${head.rows[0]?.id ?? ''}`;

/**
 * Rows `index * windowSize` and following of the accounts that pass, newest first. With the row
 * before the window the request starts behind it (same cost at any depth); without, it counts rows.
 * The first window carries the exact total of the filter.
 */
export const windowQuery = (
  filter: AccountFilter,
  index: number,
  edition: string,
  before: AccountRow | undefined,
) =>
  queryOptions({
    queryKey: [...accountsKey, 'window', filter, index, edition, before?.id ?? null],
    queryFn: async ({ signal }) => {
      const call = filteredAccounts(filter, index === 0)
        .order('created_at', { ascending: false })
        .order('id', { ascending: false })
        .abortSignal(signal);
      if (before === undefined) call.range(index * windowSize, (index + 1) * windowSize - 1);
      else {
        const at = `"${before.created_at}"`;
        // Says nothing more than the rest, but it alone leads the index to the right place.
        call.lte('created_at', before.created_at);
        call.or(`created_at.lt.${at},and(created_at.eq.${at},id.lt.${before.id})`).limit(windowSize);
      }
      return countedAccounts(await unwrapCounted(call));
    },
  });
