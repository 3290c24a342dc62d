/** Matches commands and accounts against the search of the command palette, and ranks the accounts. */
import { foldText } from '@lanternrock/contract/fold-text';
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

/** Returns true if the text has the word at its start or after a character that is no letter and no digit. */
const startsWord = (text: string, word: string): boolean => {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1))
    if (at === 0 || !/[\p{L}\p{M}\p{N}]/u.test(text.charAt(at - 1))) return true;
  return false;
};

const startWords = (words: readonly SearchWord[], values: readonly (string | null)[]): boolean => {
  const text = toSearchedText(values);
  return words.every((spellings) => spellings.some((spelling) => startsWord(text, spelling)));
};

/** Returns the rank of a matching account: the name, its start, starts of words, with those of the place, all others. */
const rankAccount = (start: string, words: readonly SearchWord[], account: AccountRow): number => {
  const { name, slug, city, state } = account;
  const foldedName = foldText(name);
  if (foldedName === start) return 0;
  if (foldedName.startsWith(start)) return 1;
  if (startWords(words, [name, slug])) return 2;
  return startWords(words, [name, slug, city, state]) ? 3 : 4;
};

/** Returns the first accounts by their rank, each once. Accounts of one rank keep their order. */
export const rankAccounts = (
  text: string,
  accounts: readonly AccountRow[],
  limit: number,
): readonly AccountRow[] => {
  const words = toSearchWords(text);
  const start = foldText(text);
  const ranked = [...new Map(accounts.map((account) => [account.id, account])).values()].map((account) => ({
    account,
    rank: rankAccount(start, words, account),
  }));
  return ranked
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, limit)
    .map(({ account }) => account);
};
