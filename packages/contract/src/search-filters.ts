/** Filters of the Data API for searches: the values of `or` parameters, which a row must all match. */
import type { AccountSearch, WordConditions } from './account-search.ts';
import { foldSpellings } from './fold-text.ts';
import { splitSearch } from './text-search.ts';

/** Escapes the text for a PostgreSQL regular expression that matches it literally. */
export const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Quotes a value inside a PostgREST logic tree: double quotes, with backslash escapes. */
export const quoteFilterValue = (value: string): string => `"${value.replace(/["\\]/g, '\\$&')}"`;

/** Returns a member of a logic tree: the only condition, or a group of several. */
const toGroup = (operator: 'and' | 'or', members: readonly string[]): string =>
  members.length === 1 ? members.join() : `${operator}(${members.join()})`;

const toCondition = (column: string, operator: 'match' | 'imatch', text: string): string =>
  `${column}.${operator}.${quoteFilterValue(escapePattern(text))}`;

const toFilters = (words: readonly WordConditions[]): readonly (readonly string[])[] =>
  words.map((conditions) => conditions.map(({ column, text }) => toCondition(column, 'match', text)));

/** Returns the values of `or` parameters for a search of accounts. A row must match all of them. */
export const toAccountFilters = (search: AccountSearch): readonly string[] => {
  const alternatives = search.map(toFilters);
  const [only = []] = alternatives;
  if (alternatives.length <= 1) return only.map((conditions) => conditions.join());
  const members = alternatives.flatMap((words) => {
    const [word] = words;
    // The conditions of a single word need no group of their own.
    if (word !== undefined && words.length === 1) return word;
    return toGroup(
      'and',
      words.map((conditions) => toGroup('or', conditions)),
    );
  });
  return [members.join()];
};

/**
 * Returns the filters for a backend without computed columns. Its texts are not folded, so an accented letter in a text is
 * found by itself only.
 *
 * @param columnsFor returns the columns that can contain the word
 */
export const toPlainFilters = (
  text: string,
  columnsFor: (word: string) => readonly string[],
): readonly string[] =>
  splitSearch(text).map((word) => {
    const spellings = new Set([word.toLowerCase(), ...foldSpellings(word)]);
    return columnsFor(word)
      .flatMap((column) => [...spellings].map((spelling) => toCondition(column, 'imatch', spelling)))
      .join();
  });
