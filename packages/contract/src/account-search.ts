/**
 * The rule of a search of accounts, in the console, in the Data API requests of the console and in the SQL of the service.
 *
 * An account is found if its name and slug contain every word, or if its contacts contain every word. A wide search finds words
 * in name, slug, city, state and contacts together. A search that can be a part of a phone number is compared with contacts as a
 * whole, by its digits.
 */
import { contactSpellings, isPhoneSearch, phoneSearchDigits } from './contact-search.ts';
import { type SearchWord, toSearchWords } from './text-search.ts';

/** The columns of folded texts: name and slug, city and state, contacts. */
export type SearchedColumn = 'search_text' | 'place_text' | 'contact_text';

/** A text that a column must contain. */
export interface SearchCondition {
  readonly column: SearchedColumn;
  readonly text: string;
}

/** The conditions of a word: its spellings in each column. One of them must be true. */
export type WordConditions = readonly SearchCondition[];

/** An account matches if all words of one of the alternatives match. */
export type AccountSearch = readonly (readonly WordConditions[])[];

const inColumn = (column: SearchedColumn, spellings: SearchWord): WordConditions =>
  spellings.map((text) => ({ column, text }));

const inNames = (word: SearchWord): WordConditions => inColumn('search_text', word);

const inContacts = (word: SearchWord): WordConditions => inColumn('contact_text', contactSpellings(word));

/**
 * Returns the conditions of a search; null for a text without visible characters, which finds every account.
 *
 * @param isWide true for words in city and state as well
 */
export const parseAccountSearch = (search: string, isWide = false): AccountSearch | null => {
  const words = toSearchWords(search);
  if (words.length === 0) return null;
  const isPhone = isPhoneSearch(search);
  const first = isWide
    ? words.map((word) => [
        ...inNames(word),
        ...inColumn('place_text', word),
        ...(isPhone ? [] : inContacts(word)),
      ])
    : words.map(inNames);
  if (!isPhone) return isWide ? [first] : [first, words.map(inContacts)];
  const digits = phoneSearchDigits(search);
  return digits === null ? [first] : [first, [inColumn('contact_text', [digits])]];
};

/** @param textOf returns the text of the account in a column */
export const matchesAccountSearch = (
  search: AccountSearch,
  textOf: (column: SearchedColumn) => string,
): boolean =>
  search.some((words) =>
    words.every((conditions) => conditions.some(({ column, text }) => textOf(column).includes(text))),
  );
