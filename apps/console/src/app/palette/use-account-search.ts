/** Accounts that match the palette's text: at once from the rows at hand, then from the service. */
import type { AccountRow } from '@lanternrock/contract/rows';
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  accountsKey,
  cachedAccounts,
  requireAccountRows,
  everyCachedAccount,
} from '../../features/accounts/accounts-list.ts';
import { backend } from '../../api/rest-client.ts';
import { unwrapRows } from '../../api/data.ts';
import { textSearchFilter } from '../../api/search-filter.ts';
import { useDebouncedValue } from '../../ui/use-debounced-value.ts';
import { matchesAccount, mergeAccounts } from './command-match.ts';

const typingPause = 150;

const noRows: readonly AccountRow[] = [];

/** Accounts shown at once for a search of the palette. */
const longestFind = 8;

/** Accounts with each of these words in name, slug, city or state, newest first. */
const findAccountsQuery = (words: readonly string[]) =>
  queryOptions({
    queryKey: [...accountsKey, 'find', words],
    queryFn: async ({ signal }) => {
      const call = backend.from('accounts').select('*');
      // Every `or` of its own must hold.
      for (const word of words) call.or(textSearchFilter(['name', 'slug', 'city', 'state'], word));
      return requireAccountRows(
        await unwrapRows(
          call.order('created_at', { ascending: false }).limit(longestFind).abortSignal(signal),
        ),
      );
    },
  });

interface FoundAccounts {
  readonly rows: readonly AccountRow[];
  readonly searching: boolean;
  readonly failed: boolean;
}

export const useAccountSearch = (words: readonly string[]): FoundAccounts => {
  const client = useQueryClient();
  const every = everyCachedAccount(client);
  const complete = every !== undefined;
  const wanted = words.join(' ');
  const settled = useDebouncedValue(wanted, typingPause);
  const asked = useQuery({
    ...findAccountsQuery(settled.split(' ')),
    enabled: settled !== '' && !complete,
    placeholderData: keepPreviousData,
  });
  if (words.length === 0) return { rows: noRows, searching: false, failed: false };
  const matches = (row: AccountRow): boolean => matchesAccount(words, row);
  const atHand = (every ?? cachedAccounts(client)).filter(matches);
  // Rows of the text before are shown as long as they match this one.
  const found = (asked.data ?? noRows).filter(matches);
  return {
    rows: mergeAccounts(atHand, found, longestFind),
    searching: !complete && (settled !== wanted || asked.isFetching),
    failed: !complete && asked.isError,
  };
};
