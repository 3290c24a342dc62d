import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readAccountsSearch } from './accounts-search.ts';

describe('search params of the accounts screen', () => {
  it('reads what the router made of the address', () => {
    expect(readAccountsSearch({ q: 112, type: 'organization', rows: 25, account: 'a', new: true })).toEqual({
      q: '112',
      type: 'organization',
      rows: 25,
      account: 'a',
      new: true,
    });
  });
  it('C094 leaves defaults out', () => {
    expect(readAccountsSearch({ q: '', rows: 10, new: false })).toEqual({});
  });
  it('drops what makes no sense, and never throws', () => {
    expect(readAccountsSearch({ q: { a: 1 }, type: 'foo', rows: 11, account: [], new: 1 })).toEqual({});
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.anything()), (params) => {
        const once = readAccountsSearch(params);
        expect(readAccountsSearch({ ...once })).toEqual(once);
      }),
    );
  });
});
