import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { validateAccountsSearch } from './accounts-search-params.ts';

describe('search params of the accounts screen', () => {
  it('accepts the values that the router parses from the URL', () => {
    expect(
      validateAccountsSearch({ q: 112, type: 'organization', rows: 25, account: 'a', new: true }),
    ).toEqual({
      q: '112',
      type: 'organization',
      rows: 25,
      account: 'a',
      new: true,
    });
  });
  it('omits defaults', { tags: ['C094'] }, () => {
    expect(validateAccountsSearch({ q: '', rows: 10, new: false })).toEqual({});
  });
  it('ignores invalid values and never throws', () => {
    expect(validateAccountsSearch({ q: { a: 1 }, type: 'foo', rows: 11, account: [], new: 1 })).toEqual({});
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.anything()), (params) => {
        const once = validateAccountsSearch(params);
        expect(validateAccountsSearch({ ...once })).toEqual(once);
      }),
    );
  });
});
