import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { validateAccountsSearch } from './accounts-search-params.ts';

describe('search params of the accounts screen', () => {
  it('accepts texts of the URL and values of a navigation', () => {
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
  it('keeps the dialog of an open panel only', () => {
    expect(validateAccountsSearch({ account: 'a', action: 'suspend' })).toEqual({
      account: 'a',
      action: 'suspend',
    });
    expect(validateAccountsSearch({ action: 'suspend' })).toEqual({});
    expect(validateAccountsSearch({ account: 'a', action: 'delete' })).toEqual({ account: 'a' });
  });
  it('omits defaults', { tags: ['C094'] }, () => {
    expect(validateAccountsSearch({ q: '', rows: 10, new: false })).toEqual({});
  });
  it('accepts orders with and without a direction, and omits the default', () => {
    const sortOf = (sort: unknown): string | undefined => validateAccountsSearch({ sort }).sort;
    expect(['name', 'name.desc', 'updated', 'created', 'created.asc'].map(sortOf)).toEqual([
      'name.asc',
      'name.desc',
      'updated.desc',
      undefined,
      'created.asc',
    ]);
    for (const sort of ['slug', 'name.up', 'name.asc.asc', '', Object.create(null)])
      expect(sortOf(sort)).toBeUndefined();
  });
  it('ignores invalid values and never throws', () => {
    expect(
      validateAccountsSearch({ q: { a: 1 }, type: 'foo', status: 'gone', rows: 11, account: [], new: 1 }),
    ).toEqual({});
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.anything()), (params) => {
        const once = validateAccountsSearch(params);
        expect(validateAccountsSearch({ ...once })).toEqual(once);
      }),
    );
  });
});
