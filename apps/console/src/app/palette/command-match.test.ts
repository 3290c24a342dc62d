import type { AccountRow } from '@lanternrock/contract/rows';
import { describe, expect, it } from 'vitest';
import { testAccount } from '../../features/accounts/test-account.ts';
import { matchesAccount, matchesCommand, mergeAccounts, splitWords } from './command-match.ts';

const account = (id: string, fields: Partial<AccountRow> = {}): AccountRow =>
  testAccount({ id, address: '1 Summit Road', city: 'Vail', state: 'CO', ...fields });

describe('search text of the command palette', () => {
  it('splits into at most six words, in lower case and without control characters', () => {
    expect(splitWords('  Ski\u0000  CO ')).toEqual(['ski', 'co']);
    expect(splitWords(' \t ')).toEqual([]);
    expect(splitWords('a b c d e f g h')).toHaveLength(6);
  });
  it('matches a command if every word is in its label or keywords', () => {
    expect(matchesCommand(splitWords('add'), 'Add Account', 'new create')).toBe(true);
    expect(matchesCommand(splitWords('new acc'), 'Add Account', 'new create')).toBe(true);
    expect(matchesCommand(splitWords('new theme'), 'Add Account', 'new create')).toBe(false);
    expect(matchesCommand([], 'Anything')).toBe(true);
  });
  it('matches an account if every word is in its name, slug, city or state', () => {
    for (const text of ['vail', 'SKI-PATROL', 'co', 'co patrol']) {
      expect(matchesAccount(splitWords(text), account('a'))).toBe(true);
    }
    for (const text of ['summit', 'co denver', '.*']) {
      expect(matchesAccount(splitWords(text), account('a'))).toBe(false);
    }
    expect(matchesAccount(splitWords('null'), account('a', { city: null, state: null }))).toBe(false);
  });
  it('ignores accents', () => {
    expect(
      matchesAccount(splitWords('Genève zurich'), account('a', { name: 'Zürich', city: 'Geneve' })),
    ).toBe(true);
    expect(splitWords('Genève')).toEqual(['genève']);
  });
  it('merges cached accounts before found ones, without duplicates and up to the limit', () => {
    const [a, b, c] = [account('a'), account('b'), account('c')];
    expect(mergeAccounts([a, b], [b, c], 8).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    expect(mergeAccounts([a, b], [b, c], 2).map(({ id }) => id)).toEqual(['a', 'b']);
  });
});
