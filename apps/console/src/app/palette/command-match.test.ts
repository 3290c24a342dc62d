import { toSearchWords } from '@lanternrock/contract/text-search';
import { describe, expect, it } from 'vitest';
import { testAccount } from '../../features/accounts/test-account.ts';
import { matchesCommand, rankAccounts } from './command-match.ts';

describe('the command palette', () => {
  it('matches a command if every word is in its label or keywords', () => {
    const matches = (text: string): boolean =>
      matchesCommand(toSearchWords(text), 'Add Account', 'new create');
    expect(matches('add')).toBe(true);
    expect(matches('acc NEW')).toBe(true);
    expect(matches('new theme')).toBe(false);
    expect(matches(' ')).toBe(true);
  });

  const account = (id: string, name: string, city: string | null = null) =>
    testAccount({ id, name, slug: `slug-of-${id}`, city, state: null });

  it('ranks the start of the name, of a word and of the place, then all others', () => {
    const accounts = [
      account('inside', 'Golden Ski'),
      account('place', 'Ski Patrol', 'Dénver'),
      account('word', 'Ski (Denver)'),
      account('name', 'Denver Ski'),
      account('name', 'Denver Ski'),
      account('accent', 'DÉNIA Rescue'),
    ];
    const rank = (text: string, limit = 10): readonly string[] =>
      rankAccounts(text, accounts, limit).map(({ id }) => id);
    expect(rank('den')).toEqual(['name', 'accent', 'word', 'place', 'inside']);
    expect(rank('den', 2)).toEqual(['name', 'accent']);
    const matching = ['place', 'word', 'name'];
    expect(rank('ski den').filter((id) => matching.includes(id))).toEqual(['word', 'name', 'place']);
    expect(rank('denver ski')[0]).toBe('name');
    const spelled = [account('other', 'Mueller Patrol'), account('name', 'Müller')];
    for (const text of ['mueller', 'müller', 'muller'])
      expect(rankAccounts(text, spelled, 10)[0]?.id).toBe('name');
    const numbered = [account('14', 'Patrol 14'), account('1', 'Patrol 1')];
    expect(rankAccounts('patrol 1', numbered, 10).map(({ id }) => id)).toEqual(['1', '14']);
  });
});
