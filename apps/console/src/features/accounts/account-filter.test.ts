import type { AccountRow } from '@lanternrock/contract/rows';
import { slugFromName } from '@lanternrock/contract/slug';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testAccount } from './test-account.ts';
import {
  type AccountFilter,
  accountFilter,
  contactFilters,
  createAccountMatcher,
  escapePattern,
  foldedTextFilter,
  isFiltering,
  quoteFilterValue,
  searchColumnsFor,
  findSimilarRows,
  textSearchFilter,
} from './account-filter.ts';

const account = (name: string, fields: Partial<AccountRow> = {}): AccountRow =>
  testAccount({ id: name, name, slug: slugFromName(name), ...fields });

const rows = [
  account('Vail Ski Patrol', { city: 'Denver', state: 'CO' }),
  account('North Shore!!', { account_type: 'organization', address: '1 Pier Road' }),
  account('Harbor 100% (South)'),
];
const found = (text: string, type?: AccountRow['account_type']): readonly string[] =>
  rows.filter(createAccountMatcher(accountFilter(text, type))).map((row) => row.name);

describe('the filter of the service', () => {
  it('omits only columns that cannot contain the text', () => {
    expect(searchColumnsFor('North-Shore 2')).toEqual(['name']);
    expect(searchColumnsFor('North-Shore')).toEqual(['name', 'slug']);
    fc.assert(
      fc.property(fc.string(), fc.nat(9), fc.nat(9), (name, from, length) => {
        const part = slugFromName(`harbor ${name}`).slice(from, from + length);
        expect(searchColumnsFor(part.toUpperCase())).toContain('slug');
      }),
    );
  });
});

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
    for (const text of ['keller zoe', '66 ', '+41 44 669', '0', 'x668']) expect(matches(text)).toEqual([]);
    expect(contactFilters('+41 44')).toEqual(['contact_text.match."4144"']);
    expect(contactFilters('Zoë')).toEqual(['contact_text.match."zoe"']);
    expect(contactFilters('1')).toEqual([]);
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
  it('matches no other column', { tags: ['C079'] }, () => {
    for (const text of ['Denver', 'CO', 'Pier', 'active', 'enterprise']) expect(found(text)).toEqual([]);
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
    expect(isFiltering(accountFilter(' \u0007 ', undefined))).toBe(false);
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

describe('search filter of the Data API', () => {
  // PostgreSQL and JavaScript treat an escaped special character alike.
  it('matches only the text itself', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (text, other) => {
        const pattern = new RegExp(`^(?:${escapePattern(text)})$`, 's');
        expect(pattern.test(text)).toBe(true);
        expect(pattern.test(other)).toBe(other === text);
      }),
    );
  });
  it('quotes a value so that parsing it returns the text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const quoted = quoteFilterValue(text);
        const inner = quoted.slice(1, -1);
        expect(inner.replace(/\\(.)/gs, '$1')).toBe(text);
        // No unescaped quote ends the value early.
        expect(inner.replace(/\\./gs, '')).not.toContain('"');
      }),
    );
  });
  it('folds the text for a column of folded texts', () => {
    expect(foldedTextFilter('search_text', 'Zürich (Süd)')).toBe('search_text.match."zurich \\\\(sud\\\\)"');
  });
  it('searches every given column', () => {
    expect(textSearchFilter(['name', 'slug'], 'a.b,"c"')).toBe(
      'name.imatch."a\\\\.b,\\"c\\"",slug.imatch."a\\\\.b,\\"c\\""',
    );
  });
});
