/**
 * Filters accounts by type and by text in the name or slug, case-insensitively. Used in the browser and, for
 * long lists, as a filter of the Data API.
 */
import type { AccountType } from '@lanternrock/contract/account-types';
import type { AccountRow } from '@lanternrock/contract/rows';
import { normalizeSearchText } from '../../api/search-filter.ts';

export interface AccountFilter {
  /** Trimmed; '' matches every account. */
  readonly text: string;
  readonly type: AccountType | undefined;
}

/** Returns the filter for a search text and a type. */
export const accountFilter = (text: string | undefined, type: AccountType | undefined): AccountFilter => ({
  text: normalizeSearchText(text ?? ''),
  type,
});

export const isFiltering = (filter: AccountFilter): boolean =>
  filter.text !== '' || filter.type !== undefined;

/** Returns a predicate for rows. Converts the search text to lower case only once. */
export const createAccountMatcher = (filter: AccountFilter): ((row: AccountRow) => boolean) => {
  const search = filter.text.toLowerCase();
  return (row) =>
    (filter.type === undefined || row.account_type === filter.type) &&
    (search === '' || row.name.toLowerCase().includes(search) || row.slug.includes(search));
};

/** The characters of slugs, in any case. */
const slugCharacters = /^[a-z0-9-]*$/i;

/**
 * Returns the columns that can contain the text. Searching both columns takes twice as long as searching one.
 */
export const searchColumnsFor = (text: string): readonly string[] =>
  slugCharacters.test(text) ? ['name', 'slug'] : ['name'];

/**
 * Returns the names of accounts whose slugs differ in hyphens only, such as `North Shore` and `Northshore`.
 */
export const findSimilarNames = (slug: string, rows: readonly AccountRow[]): readonly string[] => {
  const compact = (text: string): string => text.replaceAll('-', '');
  const compactSlug = compact(slug);
  if (compactSlug === '') return [];
  return rows.filter((row) => compact(row.slug) === compactSlug).map((row) => row.name);
};
