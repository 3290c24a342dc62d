/**
 * The rule of all searches by text, in the console, in the Data API requests of the console and in exports: a record matches if
 * its text contains every word of the search, in any order and also inside a word, in one of the spellings of `foldSpellings`.
 */
import { foldSpellings, foldText, removeZeroWidth } from './fold-text.ts';

/** The folded spellings of a searched word. A text contains the word if it contains one of them. */
export type SearchWord = readonly string[];

/**
 * Maximum number of spellings of a search. A request has one pattern for each spelling and column, and the service accepts 20
 * patterns and a limited cost (`patternLimits`, `query-cost.ts` in `packages/rest`), which is enough for three columns.
 */
const maxSpellings = 6;

const controlCharacters = /[\u0000-\u001f\u007f]/g;

/** Replaces control characters by spaces, and removes zero-width characters and whitespace at the ends. */
export const normalizeSearchText = (text: string): string =>
  removeZeroWidth(text.replace(controlCharacters, ' ')).trim();

/**
 * Splits a search into its words as they were typed. If they have too many spellings, the last words are one, which a text must
 * contain as it is.
 */
export const splitSearch = (text: string): readonly string[] => {
  const normalized = normalizeSearchText(text);
  const starts = [...normalized.matchAll(/\S+/g)].map(({ index }) => index);
  for (;;) {
    const words = starts
      .map((start, place) => normalized.slice(start, starts[place + 1]).trimEnd())
      .filter((word) => foldText(word).trim() !== '');
    if (words.length <= 1 || words.flatMap(foldSpellings).length <= maxSpellings) return words;
    starts.pop();
  }
};

/** Returns the words of a search, and none for a text without visible characters. */
export const toSearchWords = (text: string): readonly SearchWord[] => splitSearch(text).map(foldSpellings);

/** Returns the text of a record that `matchesWords` searches. The database has the same texts in computed columns. */
export const toSearchedText = (values: readonly (string | null | undefined)[]): string =>
  // No word contains a line break, so no word matches the end of a value and the start of the next.
  values.flatMap((value) => foldSpellings(value ?? '')).join('\n');

/** @param text the result of `toSearchedText` */
export const matchesWords = (words: readonly SearchWord[], text: string): boolean =>
  words.every((spellings) => spellings.some((spelling) => text.includes(spelling)));
