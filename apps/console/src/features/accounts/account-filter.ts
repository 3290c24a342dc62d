/**
 * Which accounts a search and a type let through: literal text in name or slug, in any case. In the
 * browser and, for lists too long for it, as a filter of the data interface.
 */
import type { AccountType } from '@lanternrock/contract/account-types';
import type { AccountRow } from '@lanternrock/contract/rows';
import { normalizeSearchText } from '../../api/search-filter.ts';

export interface AccountFilter {
  /** Trimmed; '' lets everything through. */
  readonly text: string;
  readonly type: AccountType | undefined;
}

/** What people type as a filter: outer spaces and control characters are never meant. */
export const accountFilter = (text: string | undefined, type: AccountType | undefined): AccountFilter => ({
  text: normalizeSearchText(text ?? ''),
  type,
});

export const isFiltering = (filter: AccountFilter): boolean =>
  filter.text !== '' || filter.type !== undefined;

/** One test for many rows: the searched text is prepared once. */
export const createAccountMatcher = (filter: AccountFilter): ((row: AccountRow) => boolean) => {
  const wanted = filter.text.toLowerCase();
  return (row) =>
    (filter.type === undefined || row.account_type === filter.type) &&
    (wanted === '' || row.name.toLowerCase().includes(wanted) || row.slug.includes(wanted));
};

/** All that a slug may hold. */
const slugCharacters = /^[a-z0-9-]*$/i;

/** The columns that can hold a text: one with a space is in no slug, and looking in both takes twice as long. */
export const searchColumnsFor = (text: string): readonly string[] =>
  slugCharacters.test(text) ? ['name', 'slug'] : ['name'];

/** Names of accounts whose slug is the same but for its hyphens: 'North Shore' and 'Northshore'. */
export const findSimilarNames = (slug: string, rows: readonly AccountRow[]): readonly string[] => {
  const compact = (text: string): string => text.replaceAll('-', '');
  const wanted = compact(slug);
  if (wanted === '') return [];
  return rows.filter((row) => compact(row.slug) === wanted).map((row) => row.name);
};
