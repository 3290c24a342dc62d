/** Searches accounts for the command palette: first in the cache, then by a request. */
import type { AccountRow } from '@lanternrock/contract/rows';
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { enabledIf, hasFeature } from '../../api/runtime-config.ts';
import { data } from '../../api/data.ts';
import {
  contactFilters,
  foldedTextFilter,
  textSearchFilter,
} from '../../features/accounts/account-filter.ts';
import {
  accountsKey,
  cachedAccounts,
  requireAccountRows,
  getAllCachedAccounts,
} from '../../features/accounts/accounts-list.ts';
import { useDebouncedValue } from '../../ui/use-debounced-value.ts';
import { matchesAccount, mergeAccounts } from './command-match.ts';

const debounceMs = 150;

const noRows: readonly AccountRow[] = [];

const maxResults = 8;

const wordFilter = (word: string): string =>
  hasFeature('extensions')
    ? [
        ...['search_text', 'place_text'].map((column) => foldedTextFilter(column, word)),
        ...contactFilters(word),
      ].join()
    : textSearchFilter(['name', 'slug', 'city', 'state'], word);

/** Query for accounts that have every word in name, slug, city, state or contacts, newest first. */
const findAccountsQuery = (words: readonly string[]) =>
  queryOptions({
    queryKey: [...accountsKey, 'find', words],
    queryFn: async ({ signal }) => {
      const request = data.from('accounts').select('*');
      // PostgREST combines several `or` parameters with AND.
      for (const word of words) request.or(wordFilter(word));
      request.order('created_at', { ascending: false }).limit(maxResults).abortSignal(signal);
      return requireAccountRows((await request.throwOnError()).data);
    },
  });

interface FoundAccounts {
  readonly rows: readonly AccountRow[];
  readonly searching: boolean;
  readonly failed: boolean;
}

export const useAccountSearch = (words: readonly string[]): FoundAccounts => {
  const client = useQueryClient();
  const allAccounts = getAllCachedAccounts(client);
  const complete = allAccounts !== undefined;
  const text = words.join(' ');
  const debouncedText = useDebouncedValue(text, debounceMs);
  const query = useQuery({
    ...findAccountsQuery(debouncedText.split(' ')),
    ...enabledIf(debouncedText !== '' && !complete),
    placeholderData: keepPreviousData,
  });
  if (words.length === 0) return { rows: noRows, searching: false, failed: false };
  const matches = (row: AccountRow): boolean => matchesAccount(words, row);
  const cached = (allAccounts ?? cachedAccounts(client)).filter(matches);
  // Placeholder rows of the previous text stay if they match the current one.
  const found = (query.data ?? noRows).filter(matches);
  return {
    rows: mergeAccounts(cached, found, maxResults),
    searching: !complete && (debouncedText !== text || query.isFetching),
    failed: !complete && query.isError,
  };
};
