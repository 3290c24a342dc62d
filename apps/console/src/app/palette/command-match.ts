/** What the palette's text lets through: every typed word must begin or stand in one of the texts. */
import type { AccountRow } from '@lanternrock/contract/rows';
import { normalizeSearchText } from '../../api/search-filter.ts';

/** More words than anybody types; each costs a condition of the service. */
const mostWords = 6;

export const splitWords = (text: string): readonly string[] =>
  normalizeSearchText(text).toLowerCase().split(/\s+/).filter(Boolean).slice(0, mostWords);

const hasAll = (words: readonly string[], texts: readonly (string | null)[]): boolean => {
  const all = texts.map((text) => (text ?? '').toLowerCase());
  return words.every((word) => all.some((text) => text.includes(word)));
};

/** True when the words are found in label and keywords together. */
export const matchesCommand = (words: readonly string[], label: string, keywords = ''): boolean =>
  hasAll(words, [label, keywords]);

/** The same columns as `findAccountsQuery` asks the service for. */
export const matchesAccount = (words: readonly string[], account: AccountRow): boolean =>
  hasAll(words, [account.name, account.slug, account.city, account.state]);

/** First what is at hand, then what the service found; each account once. */
export const mergeAccounts = (
  atHand: readonly AccountRow[],
  found: readonly AccountRow[],
  limit: number,
): readonly AccountRow[] => {
  const byId = new Map([...found, ...atHand].map((row) => [row.id, row]));
  const ids = new Set([...atHand, ...found].map((row) => row.id));
  return [...ids].slice(0, limit).flatMap((id) => byId.get(id) ?? []);
};
