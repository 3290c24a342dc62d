/** Builds Data API filters that match a search text literally. */
import { foldText } from '@lanternrock/contract/fold-text';

const controlCharacters = /[\u0000-\u001f\u007f]/g;

/** Removes leading and trailing whitespace, and replaces control characters by spaces. */
export const normalizeSearchText = (text: string): string => text.replace(controlCharacters, ' ').trim();

/** Escapes the text for a PostgreSQL regular expression that matches it literally. */
export const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Quotes a value inside a PostgREST logic tree: double quotes, with backslash escapes. */
export const quoteFilterValue = (value: string): string => `"${value.replace(/["\\]/g, '\\$&')}"`;

/** Returns a filter for a column of folded texts, such as `search_text`. */
export const foldedTextFilter = (column: string, text: string): string =>
  `${column}.match.${quoteFilterValue(escapePattern(foldText(text)))}`;

/** Returns the value of an `or` filter for rows that contain the text in one of the columns, in any case. */
export const textSearchFilter = (columns: readonly string[], text: string): string => {
  const value = quoteFilterValue(escapePattern(text));
  return columns.map((column) => `${column}.imatch.${value}`).join();
};
