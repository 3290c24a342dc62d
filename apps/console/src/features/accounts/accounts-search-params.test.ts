import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseUrlState } from '../../shared/url-state.ts';
import { accountsSearchParams } from './accounts-search-params.ts';

const parse = (params: Readonly<Record<string, unknown>>) => parseUrlState(accountsSearchParams, params);

describe('search params of the accounts screen', () => {
  it('accepts texts of the URL and values of a navigation', () => {
    expect(parse({ q: '112', type: 'organization', rows: 25, account: 'a', new: true })).toEqual({
      q: '112',
      type: 'organization',
      rows: 25,
      account: 'a',
      new: true,
    });
  });
  it('keeps the dialog of an open panel only', () => {
    expect(parse({ account: 'a', action: 'suspend' })).toEqual({
      account: 'a',
      action: 'suspend',
    });
    expect(parse({ action: 'suspend' })).toEqual({});
    expect(parse({ account: 'a', action: 'delete' })).toEqual({ account: 'a' });
  });
  it('keeps the tab of an open panel only', () => {
    expect(parse({ account: 'a', tab: 'contacts' })).toEqual({ account: 'a', tab: 'contacts' });
    expect(parse({ tab: 'contacts' })).toEqual({});
    expect(parse({ account: 'a', tab: 'other' })).toEqual({ account: 'a' });
  });
  it('keeps a wide search with its text only', () => {
    expect(parse({ q: 'vail', wide: 'true' })).toEqual({ q: 'vail', wide: true });
    expect(parse({ wide: true })).toEqual({});
  });
  it('omits defaults', { tags: ['C094'] }, () => {
    expect(parse({ q: '', rows: 10, new: false })).toEqual({});
  });
  it('accepts orders with and without a direction, and omits the default', () => {
    const sortOf = (sort: unknown): string | undefined => parse({ sort }).sort;
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
    expect(parse({ q: { a: 1 }, type: 'foo', status: 'gone', rows: 11, account: [], new: 1 })).toEqual({});
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.anything()), (params) => {
        const once = parse(params);
        expect(parse({ ...once })).toEqual(once);
      }),
    );
  });
});
