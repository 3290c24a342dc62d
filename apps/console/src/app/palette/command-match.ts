/** Matches commands and administrators against the search of the command palette, and ranks the accounts that it found. */
import { foldSpellings } from '@lanternrock/contract/fold-text';
import type { AccountRow } from '@lanternrock/contract/rows';
import {
  matchesWords,
  type SearchWord,
  toSearchedText,
  toSearchWords,
} from '@lanternrock/contract/text-search';

/** Returns true if every word is in the label or the keywords. */
export const matchesCommand = (words: readonly SearchWord[], label: string, keywords = ''): boolean =>
  matchesWords(words, toSearchedText([label, keywords]));

/** Returns true if a word of the text begins with `start`. */
const hasWordStart = (text: string, start: string): boolean => {
  for (let at = text.indexOf(start); at !== -1; at = text.indexOf(start, at + 1))
    if (at === 0 || !/[\p{L}\p{M}\p{N}]/u.test(text.charAt(at - 1))) return true;
  return false;
};

/** Returns true if each word of the search, in one of its spellings, is the start of a word of the values. */
const matchWordStarts = (words: readonly SearchWord[], values: readonly (string | null)[]): boolean => {
  const text = toSearchedText(values);
  return words.every((spellings) => spellings.some((spelling) => hasWordStart(text, spelling)));
};

/**
 * Returns the rank of a matching account: 0 if the search is the name, 1 for the start of the name, 2 for starts of words of the
 * name or slug, 3 also of the place, 4 for all others.
 *
 * @param searches spellings of the search
 */
const rankAccount = (
  searches: readonly string[],
  words: readonly SearchWord[],
  account: AccountRow,
): number => {
  const { name, slug, city, state } = account;
  const names = foldSpellings(name);
  if (searches.some((search) => names.includes(search))) return 0;
  if (searches.some((search) => names.some((spelling) => spelling.startsWith(search)))) return 1;
  if (matchWordStarts(words, [name, slug])) return 2;
  return matchWordStarts(words, [name, slug, city, state]) ? 3 : 4;
};

/** Returns the first accounts by their rank, each once. Accounts of one rank keep their order. */
export const rankAccounts = (
  text: string,
  accounts: readonly AccountRow[],
  maxRows: number,
): readonly AccountRow[] => {
  const words = toSearchWords(text);
  const searches = foldSpellings(text);
  const ranked = [...new Map(accounts.map((account) => [account.id, account])).values()].map((account) => ({
    account,
    rank: rankAccount(searches, words, account),
  }));
  return ranked
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, maxRows)
    .map(({ account }) => account);
};
