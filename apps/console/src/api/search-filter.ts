/** Searched text as a filter of the data interface: every character means itself. */

const controlCharacters = /[\u0000-\u001f\u007f]/g;

/** What people type as a search: outer spaces and control characters are never meant. */
export const normalizeSearchText = (text: string): string => text.replace(controlCharacters, ' ').trim();

/** The text as a regular expression of Postgres that matches nothing but itself. */
export const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** A value inside a logic tree of the data interface (wire grammar: quotes, backslash escapes). */
export const quoteFilterValue = (value: string): string => `"${value.replace(/["\\]/g, '\\$&')}"`;

/** The `or` filter for a text in one of these columns, in any case (`imatch`). */
export const textSearchFilter = (columns: readonly string[], text: string): string => {
  const value = quoteFilterValue(escapePattern(text));
  return columns.map((column) => `${column}.imatch.${value}`).join();
};
