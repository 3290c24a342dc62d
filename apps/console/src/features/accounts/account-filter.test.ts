import type { AccountRow } from '@lanternrock/contract/rows';
import { slugFromName } from '@lanternrock/contract/slug';
import fc from 'fast-check';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { testAccount } from './test-account.ts';
import {
  type AccountFilter,
  accountFilter,
  createAccountMatcher,
  isFiltering,
  searchFilters,
  findSimilarRows,
} from './account-filter.ts';

// No configuration: the filters are those of another backend.
vi.stubGlobal('document', { getElementById: () => null });
// The files of one worker share the globals.
afterAll(() => vi.unstubAllGlobals());

const account = (name: string, fields: Partial<AccountRow> = {}): AccountRow =>
  testAccount({ id: name, name, slug: slugFromName(name), ...fields });

const rows = [
  account('Vail Ski Patrol', { city: 'Denver', state: 'CO' }),
  account('North Shore!!', { account_type: 'organization', address: '1 Pier Road' }),
  account('Harbor 100% (South)'),
];
const found = (text: string, type?: AccountRow['account_type']): readonly string[] =>
  rows.filter(createAccountMatcher(accountFilter(text, type))).map((row) => row.name);

describe('the filter in the browser', () => {
  it('matches a part of the name or the slug', { tags: ['C077'] }, () => {
    expect(found('ski')).toEqual(['Vail Ski Patrol']);
    expect(found('north-shore')).toEqual(['North Shore!!']);
  });
  it('finds contacts by name, email address, and phone number in any formatting', () => {
    const list = [
      account('With', { contact_text: 'zoe keller\nzoe@example.org\n41446681800\nben\n12125550100' }),
      account('Without', { contact_text: null }),
      account('Other backend'),
    ];
    const matches = (text: string): readonly string[] =>
      list.filter(createAccountMatcher(accountFilter(text, undefined))).map((row) => row.name);
    for (const text of [
      'Zoë Kel',
      'ZOE@example',
      '+41 44 668 18 00',
      '044 668',
      '044/668-18',
      '0041 (0)44',
      '(212) 555',
      '668',
    ])
      expect([text, matches(text)]).toEqual([text, ['With']]);
    for (const text of ['keller zoe', 'zoe example', 'keller 044 668'])
      expect(matches(text)).toEqual(['With']);
    for (const text of ['66 ', '+41 44 669', '0', 'x668', 'with keller']) expect(matches(text)).toEqual([]);
    const wide = list.filter(createAccountMatcher(accountFilter('with keller', undefined, { wide: true })));
    expect(wide.map(({ name }) => name)).toEqual(['With']);
  });
  it('has a filter for each known status and one for all other words', () => {
    const list = ['active', 'suspended', 'archived', 'on hold', ''].map((status) =>
      account(status, { status }),
    );
    const matches = (status?: AccountFilter['status']): readonly string[] =>
      list.filter(createAccountMatcher(accountFilter('', undefined, { status }))).map((row) => row.status);
    expect(matches()).toHaveLength(5);
    expect(matches('suspended')).toEqual(['suspended']);
    expect(matches('other')).toEqual(['on hold', '']);
    expect(isFiltering(accountFilter('', undefined, { status: 'active' }))).toBe(true);
    expect(isFiltering(accountFilter('', undefined, { sort: 'name.asc' }))).toBe(false);
  });
  it('ignores case', { tags: ['C078'] }, () => {
    expect(found('VAIL')).toEqual(found('vail'));
  });
  it('ignores accents, in the search text and in the name', () => {
    const matches = (text: string, name: string): boolean =>
      createAccountMatcher(accountFilter(text, undefined))(account(name));
    for (const text of ['zurich', 'ZÜRICH', 'zu\u0308rich'])
      for (const name of ['Zürich See', 'ZÜRICH SEE', 'Zurich See']) expect(matches(text, name)).toBe(true);
    expect(matches('zurich', 'Zermatt')).toBe(false);
  });
  it('matches words in any order, in the name or the slug', () => {
    for (const text of ['patrol vail', 'ski vail pat', 'patrol ski-patrol'])
      expect(found(text)).toEqual(['Vail Ski Patrol']);
    expect(found('vail harbor')).toEqual([]);
  });
  it('matches no other column', { tags: ['C079'] }, () => {
    for (const text of ['Denver', 'CO', 'Pier', 'active', 'enterprise']) expect(found(text)).toEqual([]);
  });
  it('matches city and state on request', () => {
    const wide = (text: string): readonly string[] =>
      rows
        .filter(createAccountMatcher(accountFilter(text, undefined, { wide: true })))
        .map(({ name }) => name);
    for (const text of ['denver', 'co', 'patrol denv co']) expect(wide(text)).toEqual(['Vail Ski Patrol']);
    for (const text of ['pier', 'null', 'denver harbor']) expect(wide(text)).toEqual([]);
    expect(accountFilter(' ', undefined, { wide: true }).wide).toBeUndefined();
  });
  it('combines with the type', { tags: ['C080', 'C081'] }, () => {
    expect(found('', 'organization')).toEqual(['North Shore!!']);
    expect(found('o', 'enterprise')).toEqual(['Vail Ski Patrol', 'Harbor 100% (South)']);
    expect(found('shore', 'enterprise')).toEqual([]);
  });
  it('matches every character literally', () => {
    expect(found('100% (')).toEqual(['Harbor 100% (South)']);
    for (const text of ['.*', 'S_i', 'V%l', '[a-z]']) expect(found(text)).toEqual([]);
  });
  it('ignores leading and trailing spaces and control characters', () => {
    expect(found('  vail\u0000 ')).toEqual(['Vail Ski Patrol']);
    expect(isFiltering(accountFilter(' \u0007 \u200b', undefined))).toBe(false);
  });
});

describe('the filter of another backend', () => {
  it('omits the slug for words that no slug contains', () => {
    expect(searchFilters(accountFilter('North-Shore 2!', undefined))).toEqual([
      'name.imatch."north-shore",slug.imatch."north-shore"',
      'name.imatch."2!"',
    ]);
    expect(searchFilters(accountFilter('vail', undefined, { wide: true }))).toEqual([
      'name.imatch."vail",slug.imatch."vail",city.imatch."vail",state.imatch."vail"',
    ]);
    fc.assert(
      fc.property(fc.string(), fc.nat(9), fc.nat(9), (name, from, length) => {
        const part = slugFromName(`harbor ${name}`).slice(from, from + length);
        for (const filter of searchFilters(accountFilter(part.toUpperCase(), undefined)))
          expect(filter).toContain('slug.imatch');
      }),
    );
  });
});

describe('similar accounts', () => {
  it('have the same slug without hyphens', () => {
    expect(findSimilarRows(slugFromName('NorthShore'), rows).map(({ name }) => name)).toEqual([
      'North Shore!!',
    ]);
    expect(findSimilarRows(slugFromName('North'), rows).map(({ name }) => name)).toEqual([]);
    expect(findSimilarRows(slugFromName('!!!'), [account('???')]).map(({ name }) => name)).toEqual([]);
  });
});
