/** Searches accounts for the command palette: first in the cache, then by a request. */
import { foldSpellings, foldText } from '@lanternrock/contract/fold-text';
import type { AccountRow } from '@lanternrock/contract/rows';
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { enabledIf, hasFeature } from '../../api/runtime-config.ts';
import { data } from '../../api/data.ts';
import {
  accountFilter,
  createAccountMatcher,
  searchFilters,
} from '../../features/accounts/account-filter.ts';
import { getAllCachedAccounts } from '../../features/accounts/accounts-cache.ts';
import { accountsKey, cachedAccounts, requireAccountRows } from '../../features/accounts/accounts-list.ts';
import { useDebouncedValue } from '../../ui/use-debounced-value.ts';
import { rankAccounts } from './command-match.ts';

const debounceMs = 150;

const noRows: readonly AccountRow[] = [];

const maxResults = 8;

/** The newest matches, of which the best ones are shown. */
const maxMatches = 40;

/** Greater than every character of a folded text. */
const lastCharacter = '\u{10ffff}';

/** Returns the beginnings of names that the text can mean. The database folds `ü` to `u`, and people also write it as `ue`. */
const toNameStarts = (text: string): readonly string[] => [
  ...new Set([...foldSpellings(text), foldText(text).replaceAll(/([aou])e/g, '$1')]),
];

/** Returns the request for accounts whose folded names start so. They can be older than the newest matches. */
const requestNames = (start: string) => {
  // A range of the index that sorts the names.
  return data
    .from('accounts')
    .select('*')
    .filter('name_key', 'gte', start)
    .filter('name_key', 'lt', `${start}${lastCharacter}`)
    .order('name_key' as 'name')
    .order('id')
    .limit(maxResults);
};

/** Query for accounts whose names start with the text, and the newest that a wide search finds. */
const findAccountsQuery = (text: string) =>
  queryOptions({
    queryKey: [...accountsKey, 'find', text],
    queryFn: async ({ signal }) => {
      const request = data.from('accounts').select('*');
      for (const filter of searchFilters({ text, wide: true })) request.or(filter);
      request.order('created_at', { ascending: false }).limit(maxMatches);
      // Other backends have no folded names.
      const requests = hasFeature('extensions')
        ? [...toNameStarts(text).map(requestNames), request]
        : [request];
      const responses = await Promise.all(requests.map((each) => each.abortSignal(signal).throwOnError()));
      return requireAccountRows(responses.flatMap(({ data: rows }) => rows));
    },
  });

interface FoundAccounts {
  readonly rows: readonly AccountRow[];
  readonly searching: boolean;
  readonly failed: boolean;
}

/** @param text normalized; '' finds nothing */
export const useAccountSearch = (text: string): FoundAccounts => {
  const client = useQueryClient();
  const allAccounts = getAllCachedAccounts(client);
  const complete = allAccounts !== undefined;
  const debouncedText = useDebouncedValue(text, debounceMs);
  const query = useQuery({
    ...findAccountsQuery(debouncedText),
    ...enabledIf(debouncedText !== '' && !complete),
    placeholderData: keepPreviousData,
  });
  if (text === '') return { rows: noRows, searching: false, failed: false };
  // Placeholder rows of the previous text stay if they match the current one.
  const candidates = [...(query.data ?? noRows), ...(allAccounts ?? cachedAccounts(client))];
  const matches = candidates.filter(createAccountMatcher(accountFilter(text, undefined, { wide: true })));
  return {
    rows: rankAccounts(text, matches, maxResults),
    searching: !complete && (debouncedText !== text || query.isFetching),
    failed: !complete && query.isError,
  };
};
