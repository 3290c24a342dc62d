import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accountsSearchParams } from '../features/accounts/accounts-search-params.ts';
import { activitySearchParams } from '../features/activity/activity-search-params.ts';
import { adminsSearchParams } from '../features/admins/admins-search-params.ts';
import { handoverSearchParams } from '../features/handover/handover-period.ts';
import { securitySearchParams } from '../features/security/security-search-params.ts';
import { parseUrlSearch, parseUrlState, stringifyUrlSearch } from './url-state.ts';

const schemas = {
  accounts: accountsSearchParams,
  activity: activitySearchParams,
  admins: adminsSearchParams,
  handover: handoverSearchParams,
  security: securitySearchParams,
};

const texts = ['662E41', '1e3', '007', '0x1F', '-0', '1_000', 'Infinity', 'NaN', 'true', 'false', 'null'];
const quotedTexts = ['"quoted"', '"112"', '[1]', '{"a":1}', '%', '%41', '+', 'a+b', 'a&q=b', '#1', '🏔️', 'é'];

it.each([...texts, ...quotedTexts, ' spaces ', '\u00a0', '9007199254740993', '1.0'])(
  'keeps the text %j in the search of every screen',
  (text) => {
    const read = (name: string) => parseUrlSearch(`?${name}=${encodeURIComponent(text)}`);
    expect(parseUrlState(accountsSearchParams, read('q')).q).toBe(text);
    expect(parseUrlState(accountsSearchParams, read('account')).account).toBe(text);
    expect(parseUrlState(adminsSearchParams, read('q')).q).toBe(text);
    expect(parseUrlState(adminsSearchParams, read('invitation')).invitation).toBe(text);
    expect(parseUrlState(activitySearchParams, read('record')).record ?? '').toBe(text.trim());
  },
);

it('reads what it wrote', () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1 });
  fc.assert(
    fc.property(fc.dictionary(text, text, { noNullPrototype: true }), (search) => {
      expect(parseUrlSearch(stringifyUrlSearch(search))).toEqual(search);
    }),
  );
});

describe.each(Object.entries(schemas))('the search params of the screen %s', (_, schema) => {
  const names = Object.keys(schema);
  /** Texts that occur in links, valid and invalid ones, and any value. */
  const value = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom(...texts, ...quotedTexts, 'organization', 'name', 'accounts', '25', '10', '7d', 'app'),
    fc.constantFrom('2026-11-24', '2026-02-30', 'suspended', 'edit', 'pending', true, 25, null),
    fc.anything(),
  );
  const params = fc.dictionary(fc.constantFrom(...names, 'other'), value, { noNullPrototype: true });

  it('are read without an error, and stay the same in the URL', () => {
    fc.assert(
      fc.property(params, (given) => {
        const state = parseUrlState(schema, given);
        expect(Object.keys(state).every((name) => names.includes(name))).toBe(true);
        expect(Object.values(state)).not.toContain(undefined);
        expect(parseUrlState(schema, parseUrlSearch(stringifyUrlSearch(state)))).toEqual(state);
      }),
    );
  });
});

it('writes params in the order of the schema, without defaults and unknown ones', () => {
  const write = (params: Readonly<Record<string, unknown>>) =>
    stringifyUrlSearch(parseUrlState(accountsSearchParams, params));
  expect(write({ new: true, rows: 25, other: 1, q: ' a+b ' })).toBe('?q=+a%2Bb+&rows=25&new=true');
  expect(write({ q: '', rows: '10', sort: 'created', new: 'false' })).toBe('');
});

it('opens old links', () => {
  const accountsUrl = '?q=Hut+12&type=organization&rows=25&sort=name.desc&new=true';
  expect(parseUrlState(accountsSearchParams, parseUrlSearch(accountsUrl))).toEqual({
    q: 'Hut 12',
    type: 'organization',
    rows: 25,
    sort: 'name.desc',
    new: true,
  });
  expect(parseUrlState(adminsSearchParams, parseUrlSearch('?invite=true&requirement=true&other=1'))).toEqual({
    invite: true,
    requirement: true,
  });
  expect(parseUrlState(adminsSearchParams, { invite: 'yes', invitation: 7 })).toEqual({});
});

it('never cuts a character at the maximum length', () => {
  const q = `${'a'.repeat(199)}🏔`;
  expect(parseUrlState(accountsSearchParams, { q }).q).toBe('a'.repeat(199));
  expect(parseUrlState(adminsSearchParams, { q }).q).toBe('a'.repeat(199));
});
