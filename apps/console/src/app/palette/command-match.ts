/** Matches commands and accounts against the words of the command palette. */
import { foldText } from '@lanternrock/contract/fold-text';
import type { AccountRow } from '@lanternrock/contract/rows';
import { createContactMatcher, normalizeSearchText } from '../../features/accounts/account-filter.ts';

/** Limits the request: every word adds a filter. */
const maxWords = 6;

export const splitWords = (text: string): readonly string[] =>
  normalizeSearchText(text).toLowerCase().split(/\s+/).filter(Boolean).slice(0, maxWords);

const hasAll = (words: readonly string[], texts: readonly (string | null)[]): boolean => {
  const all = texts.map((text) => foldText(text ?? ''));
  return words.map(foldText).every((word) => all.some((text) => text.includes(word)));
};

/** Returns true if every word is in the label or the keywords. */
export const matchesCommand = (words: readonly string[], label: string, keywords = ''): boolean =>
  hasAll(words, [label, keywords]);

/** Searches the same columns as the request of `useAccountSearch`. */
export const matchesAccount = (words: readonly string[], account: AccountRow): boolean =>
  words.every(
    (word) =>
      hasAll([word], [account.name, account.slug, account.city, account.state]) ||
      createContactMatcher(word)(account),
  );

/** Returns the cached accounts, then the found ones, each once. */
export const mergeAccounts = (
  cached: readonly AccountRow[],
  found: readonly AccountRow[],
  limit: number,
): readonly AccountRow[] => {
  const byId = new Map([...found, ...cached].map((row) => [row.id, row]));
  const ids = new Set([...cached, ...found].map((row) => row.id));
  return [...ids].slice(0, limit).flatMap((id) => byId.get(id) ?? []);
};
