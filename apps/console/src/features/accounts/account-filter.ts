/**
 * Filters accounts by type, status and text, by the rule of `account-search.ts` in the contract. Used in the browser and, for long
 * lists, as a filter of the Data API.
 */
import {
  matchesAccountSearch,
  parseAccountSearch,
  type SearchedColumn,
} from '@lanternrock/contract/account-search';
import type { AccountType } from '@lanternrock/contract/account-types';
import { accountStatuses, type StatusFilter } from '@lanternrock/contract/account-view';
import type { AccountRow } from '@lanternrock/contract/rows';
import { toAccountFilters, toPlainFilters } from '@lanternrock/contract/search-filters';
import { normalizeSearchText, toSearchedText } from '@lanternrock/contract/text-search';
import { hasFeature } from '../../api/runtime-config.ts';

export interface AccountFilter {
  /** Trimmed; '' matches every account. */
  readonly text: string;
  readonly type: AccountType | undefined;
  readonly status?: StatusFilter | undefined;
  /** True for words in name, slug, city, state and contacts together. */
  readonly wide?: true | undefined;
  /** Order as `name.asc`; undefined for the newest first. Not a filter, but every query depends on both. */
  readonly sort?: string | undefined;
}

/** Reads the searched texts of rows. Rows never change, so each text is folded once and not for every typed letter. */
const readers: Readonly<Record<SearchedColumn, (row: AccountRow) => string>> = {
  search_text: memoize((row) => toSearchedText([row.name, row.slug])),
  place_text: memoize((row) => toSearchedText([row.city, row.state])),
  // Folded by the service; other backends have no contacts.
  contact_text: (row) => row.contact_text ?? '',
};

function memoize(read: (row: AccountRow) => string): (row: AccountRow) => string {
  const texts = new WeakMap<AccountRow, string>();
  return (row) => {
    const known = texts.get(row);
    if (known !== undefined) return known;
    const text = read(row);
    texts.set(row, text);
    return text;
  };
}

/** Returns the filter for a search text and the other search params. */
export const accountFilter = (
  text: string | undefined,
  type: AccountType | undefined,
  { status, sort, wide }: Pick<AccountFilter, 'status' | 'sort' | 'wide'> = {},
): AccountFilter => {
  const normalized = normalizeSearchText(text ?? '');
  return { text: normalized, type, status, sort, wide: normalized === '' ? undefined : wide };
};

/** Returns true for equal filters and orders. */
export const isSameFilter = (a: AccountFilter, b: AccountFilter): boolean =>
  a.text === b.text && a.type === b.type && a.status === b.status && a.sort === b.sort && a.wide === b.wide;

export const isFiltering = (filter: AccountFilter): boolean =>
  filter.text !== '' || filter.type !== undefined || filter.status !== undefined;

const toStatusFilter = (status: string): StatusFilter =>
  accountStatuses.find((each) => each === status) ?? 'other';

/** Returns a predicate for rows. Folds the search text only once. */
export const createAccountMatcher = (filter: AccountFilter): ((row: AccountRow) => boolean) => {
  const search = parseAccountSearch(filter.text, filter.wide);
  return (row) =>
    (filter.type === undefined || row.account_type === filter.type) &&
    (filter.status === undefined || filter.status === toStatusFilter(row.status)) &&
    (search === null || matchesAccountSearch(search, (column) => readers[column](row)));
};

/** The characters of slugs, in any case. */
const slugCharacters = /^[a-z0-9-]*$/i;

/** The columns of other backends. Each further one takes as long as the first. */
const plainColumns = (word: string, wide: boolean): readonly string[] => [
  'name',
  ...(slugCharacters.test(word) ? ['slug'] : []),
  ...(wide ? ['city', 'state'] : []),
];

/** Returns the values of the `or` parameters that filter by the text. A row must match all of them. */
export const searchFilters = ({ text, wide }: Pick<AccountFilter, 'text' | 'wide'>): readonly string[] =>
  hasFeature('extensions')
    ? toAccountFilters(parseAccountSearch(text, wide) ?? [])
    : toPlainFilters(text, (word) => plainColumns(word, wide === true));

/**
 * Returns the accounts whose slugs differ in hyphens only, such as `North Shore` and `Northshore`.
 */
export const findSimilarRows = (slug: string, rows: readonly AccountRow[]): readonly AccountRow[] => {
  const compact = (text: string): string => text.replaceAll('-', '');
  const compactSlug = compact(slug);
  if (compactSlug === '') return [];
  return rows.filter((row) => compact(row.slug) === compactSlug);
};
