import { describe, expect, it } from 'vitest';
import { recentAccounts, recentSearches } from './recent-lists.ts';

const { add, parse } = recentSearches;

describe('recent searches', () => {
  it('are the last five, newest first, without duplicates in another case', () => {
    const five = ['a', 'b', 'c', 'd', 'e'];
    expect(add(five, 'f')).toEqual(['f', 'a', 'b', 'c', 'd']);
    expect(add(five, 'C')).toEqual(['C', 'a', 'b', 'd', 'e']);
  });
  it('ignore invalid stored text', () => {
    for (const stored of [null, '', '{', '{}', '"a"', 'null', '[1,null,""]'])
      expect(parse(stored)).toEqual([]);
    expect(parse('["a",1,"b"]')).toEqual(['a', 'b']);
  });
});

const account = (id: string) => ({ id, name: `Account ${id}` });

describe('recently viewed accounts', () => {
  it('are the last six, each once, the newest first', () => {
    let recent = recentAccounts.parse(null);
    for (const id of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'c'])
      recent = recentAccounts.add(recent, account(id));
    expect(recent.map(({ id }) => id).join('')).toBe('cgfedb');
  });
  it('show a new name', () => {
    expect(recentAccounts.add([account('a')], { id: 'a', name: 'New' })).toEqual([{ id: 'a', name: 'New' }]);
  });
  it('ignore invalid stored text', () => {
    for (const stored of ['', '{}', '[1,null,{"id":1},{"id":"a"}]', '"x"'])
      expect(recentAccounts.parse(stored)).toEqual([]);
  });
});
