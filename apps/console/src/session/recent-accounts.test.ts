import { describe, expect, it } from 'vitest';
import { addRecentAccount, parseRecentAccounts } from './recent-accounts.ts';

const account = (id: string) => ({ id, name: `Account ${id}` });

describe('recently viewed accounts', () => {
  it('keeps the last six, each once, the newest first', () => {
    let recent = parseRecentAccounts(null);
    for (const id of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'c']) recent = addRecentAccount(recent, account(id));
    expect(recent.map(({ id }) => id).join('')).toBe('cgfedb');
  });
  it('shows a new name', () => {
    expect(addRecentAccount([account('a')], { id: 'a', name: 'New' })).toEqual([{ id: 'a', name: 'New' }]);
  });
  it('ignores invalid stored text', () => {
    for (const stored of ['', '{}', '[1,null,{"id":1},{"id":"a"}]', '"x"'])
      expect(parseRecentAccounts(stored)).toEqual([]);
  });
});
