import { describe, expect, it } from 'vitest';
import { parseRecentSearches, addRecentSearch } from './recent-searches.ts';

describe('recent searches', () => {
  it('are the last five, newest first, without duplicates in another case', () => {
    const five = ['a', 'b', 'c', 'd', 'e'];
    expect(addRecentSearch(five, 'f')).toEqual(['f', 'a', 'b', 'c', 'd']);
    expect(addRecentSearch(five, 'C')).toEqual(['C', 'a', 'b', 'd', 'e']);
  });
  it('ignore invalid stored text', () => {
    for (const stored of [null, '', '{', '{}', '"a"', 'null', '[1,null,""]'])
      expect(parseRecentSearches(stored)).toEqual([]);
    expect(parseRecentSearches('["a",1,"b"]')).toEqual(['a', 'b']);
  });
});
