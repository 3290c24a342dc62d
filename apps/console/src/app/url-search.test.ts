import fc from 'fast-check';
import { expect, it } from 'vitest';
import { validateAccountsSearch } from '../features/accounts/accounts-search-params.ts';
import { validateActivitySearch } from '../features/activity/activity-search-params.ts';
import { validateAdminsSearch } from '../features/admins/admins-search-params.ts';
import { parseUrlSearch, stringifyUrlSearch } from './url-search.ts';

const texts = ['662E41', '1e3', '007', '0x1F', '-0', '1_000', 'Infinity', 'NaN', 'true', 'false', 'null'];
const quotedTexts = ['"quoted"', '"112"', '[1]', '{"a":1}', '%', '%41', '+', 'a+b', 'a&q=b', '#1', '🏔️', 'é'];

it.each([...texts, ...quotedTexts, ' spaces ', '\u00a0', '9007199254740993', '1.0'])(
  'keeps the text %j in the search of every screen',
  (text) => {
    const read = (name: string) => parseUrlSearch(`?${name}=${encodeURIComponent(text)}`);
    expect(validateAccountsSearch(read('q')).q).toBe(text);
    expect(validateAccountsSearch(read('account')).account).toBe(text);
    expect(validateAdminsSearch(read('q')).q).toBe(text);
    expect(validateAdminsSearch(read('invitation')).invitation).toBe(text);
    expect(validateActivitySearch(read('record')).record ?? '').toBe(text.trim());
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

it('opens old links', () => {
  expect(
    validateAccountsSearch(parseUrlSearch('?q=Hut+12&type=organization&rows=25&sort=name.desc&new=true')),
  ).toEqual({ q: 'Hut 12', type: 'organization', rows: 25, sort: 'name.desc', new: true });
  expect(validateAdminsSearch(parseUrlSearch('?invite=true&demand=true'))).toEqual({
    invite: true,
    demand: true,
  });
});

it('never cuts a character at the maximum length', () => {
  const q = `${'a'.repeat(199)}🏔`;
  expect(validateAccountsSearch({ q }).q).toBe('a'.repeat(199));
  expect(validateAdminsSearch({ q }).q).toBe('a'.repeat(199));
});
