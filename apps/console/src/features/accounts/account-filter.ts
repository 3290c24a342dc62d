/**
 * Filters accounts by type and by text in the name, the slug or the contacts, without regard to case and accents. Used in the
 * browser and, for long lists, as a filter of the Data API.
 */
import type { AccountType } from '@lanternrock/contract/account-types';
import { accountStatuses, type StatusFilter } from '@lanternrock/contract/account-view';
import type { AccountRow } from '@lanternrock/contract/rows';
import { contactSearchText } from '@lanternrock/contract/contact-search';
import { foldText } from '@lanternrock/contract/fold-text';

export interface AccountFilter {
  /** Trimmed; '' matches every account. */
  readonly text: string;
  readonly type: AccountType | undefined;
  readonly status?: StatusFilter | undefined;
  /** Order as `name.asc`; undefined for the newest first. Not a filter, but every query depends on both. */
  readonly sort?: string | undefined;
}

const controlCharacters = /[\u0000-\u001f\u007f]/g;

/** Removes leading and trailing whitespace, and replaces control characters by spaces. */
export const normalizeSearchText = (text: string): string => text.replace(controlCharacters, ' ').trim();

/** Returns the filter for a search text and the other search params. */
export const accountFilter = (
  text: string | undefined,
  type: AccountType | undefined,
  { status, sort }: Pick<AccountFilter, 'status' | 'sort'> = {},
): AccountFilter => ({ text: normalizeSearchText(text ?? ''), type, status, sort });

/** Returns true for equal filters and orders. */
export const isSameFilter = (a: AccountFilter, b: AccountFilter): boolean =>
  a.text === b.text && a.type === b.type && a.status === b.status && a.sort === b.sort;

export const isFiltering = (filter: AccountFilter): boolean =>
  filter.text !== '' || filter.type !== undefined || filter.status !== undefined;

const toStatusFilter = (status: string): StatusFilter =>
  accountStatuses.find((each) => each === status) ?? 'other';

/**
 * Returns a predicate for the names, email addresses and phone numbers of contacts, in any formatting. Other backends have no
 * contacts.
 *
 * @param text not empty
 */
export const createContactMatcher = (text: string): ((row: AccountRow) => boolean) => {
  const search = contactSearchText(text);
  return ({ contact_text: contacts = null }) =>
    search !== null && contacts !== null && contacts.includes(search);
};

/** Returns a predicate for rows. Folds the search text only once. */
export const createAccountMatcher = (filter: AccountFilter): ((row: AccountRow) => boolean) => {
  const search = foldText(filter.text);
  const isInContacts = createContactMatcher(filter.text);
  return (row) =>
    (filter.type === undefined || row.account_type === filter.type) &&
    (filter.status === undefined || filter.status === toStatusFilter(row.status)) &&
    (search === '' || foldText(row.name).includes(search) || row.slug.includes(search) || isInContacts(row));
};

/** The characters of slugs, in any case. */
const slugCharacters = /^[a-z0-9-]*$/i;

/**
 * Returns the columns that can contain the text. Searching both columns takes twice as long as searching one.
 */
export const searchColumnsFor = (text: string): readonly string[] =>
  slugCharacters.test(text) ? ['name', 'slug'] : ['name'];

/** Escapes the text for a PostgreSQL regular expression that matches it literally. */
export const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Quotes a value inside a PostgREST logic tree: double quotes, with backslash escapes. */
export const quoteFilterValue = (value: string): string => `"${value.replace(/["\\]/g, '\\$&')}"`;

/** Returns a filter for a column of folded texts, such as `search_text`. */
export const foldedTextFilter = (column: string, text: string): string =>
  `${column}.match.${quoteFilterValue(escapePattern(foldText(text)))}`;

/** Returns the filter of our service for the contacts of accounts, as `createContactMatcher`; none if it matches no account. */
export const contactFilters = (text: string): readonly string[] => {
  const search = contactSearchText(text);
  return search === null ? [] : [foldedTextFilter('contact_text', search)];
};

/** Returns the value of an `or` filter for rows that contain the text in one of the columns, in any case. */
export const textSearchFilter = (columns: readonly string[], text: string): string => {
  const value = quoteFilterValue(escapePattern(text));
  return columns.map((column) => `${column}.imatch.${value}`).join();
};

/**
 * Returns the accounts whose slugs differ in hyphens only, such as `North Shore` and `Northshore`.
 */
export const findSimilarRows = (slug: string, rows: readonly AccountRow[]): readonly AccountRow[] => {
  const compact = (text: string): string => text.replaceAll('-', '');
  const compactSlug = compact(slug);
  if (compactSlug === '') return [];
  return rows.filter((row) => compact(row.slug) === compactSlug);
};
