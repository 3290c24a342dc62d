/** Searches that find the contacts of accounts: one rule in the browser, in the Data API and in an export. */
import { matchesAccountSearch, parseAccountSearch } from '@lanternrock/contract/account-search';
import { toAccountFilters } from '@lanternrock/contract/search-filters';
import { toSearchedText } from '@lanternrock/contract/text-search';
import { sql } from '@lanternrock/postgres';
import { runs, seed } from '@lanternrock/testing/property-runs';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eachEngine, startTestService, type TestService } from './support/test-service.ts';

interface Account {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly city: string | null;
  readonly state: string | null;
  readonly contact_text: string | null;
}

const contacts = [
  ['Zoë Keller', '+41446681800', 'zoe.keller@example.org'],
  ['Łukasz', '+48221234567', 'ops668@example.org'],
  ['=Ben (duty) 100%', '+12125550100', null],
  ['Straße 44', null, 'a_b+c@example.org'],
  ['Ann', '+442079460000', null],
  ['Jörg Müller', null, null],
] as const;

const numbers = contacts.flatMap(([, phone]) => phone?.slice(1) ?? []);
const texts = contacts.flatMap(([name, , email]) => (email === null ? [name] : [name, email]));
const part = (text: string): fc.Arbitrary<string> =>
  fc
    .tuple(fc.nat(text.length - 1), fc.integer({ min: 1, max: text.length }))
    .map(([from, length]) => text.slice(from, from + length));
const accountNames = ['Patrol 1', 'n-2 patrol'];
const separator = fc.constantFrom('', '', ' ', '-', '/', '.', '(0)', ' (', ') ');
const punctuated = (digits: string): fc.Arbitrary<string> =>
  fc
    .array(separator, { minLength: digits.length, maxLength: digits.length })
    .map((between) => Array.from(digits, (digit, index) => digit + (between[index] ?? '')).join(''));
const phones = fc
  .constantFrom(...numbers)
  .chain(part)
  .chain(punctuated)
  .chain((text) => fc.constantFrom(text, `+${text}`, `00${text}`, `0${text}`));
const names = fc.constantFrom(...texts, ...accountNames, 'Genève', 'Joerg Mueller', 'keller 044 668');
const queries = fc.oneof(
  names.chain(part),
  names.map((text) => text.toUpperCase().split(' ').toReversed().join(' ')),
  phones,
  fc.tuple(names.chain(part), fc.oneof(phones, names.chain(part))).map((list) => list.join(' ')),
);

eachEngine('a search of contacts', (engine) => {
  let service: TestService;
  let headers: Record<string, string>;
  let accounts: readonly Account[];
  beforeAll(async () => {
    service = await startTestService(engine);
    const admin = await service.createUser({ isAdministrator: true });
    headers = {
      apikey: service.anonKey,
      Authorization: `Bearer ${(await service.signIn(admin)).access_token}`,
      'Content-Type': 'application/json',
    };
    await service.database.query(
      sql`insert into public.accounts (name, slug, account_type, city)
          select 'Patrol ' || n, 'n-' || n, 'organization', case when n < 3 then 'Genève' end
            from generate_series(1, 8) n`,
    );
    for (const [index, [name, phone, email]] of contacts.entries())
      await service.database.query(
        sql`insert into public.account_contacts (account_id, position, name, phone, email)
            select id, ${index + 1}, ${name}, ${phone}, ${email} from public.accounts
              where slug in (${`n-${index + 1}`}, ${`n-${index + 2}`})`,
      );
    accounts = await read('');
  });
  afterAll(() => service.close());

  const read = async (filter: string): Promise<readonly Account[]> => {
    const response = await service.request(`/rest/v1/accounts?select=*&order=created_at,id${filter}`, {
      headers,
    });
    if (response.status !== 200) throw new Error(await response.text());
    return (await response.json()) as Account[];
  };
  const sortedNames = (list: readonly { name: string }[]): string[] =>
    list.map(({ name }) => name).toSorted();

  const inBrowser = (text: string, wide: boolean): string[] => {
    const search = parseAccountSearch(text, wide);
    return sortedNames(
      accounts.filter(({ name, slug, city, state, contact_text: contact }) => {
        const columns = {
          search_text: toSearchedText([name, slug]),
          place_text: toSearchedText([city, state]),
          contact_text: contact ?? '',
        };
        return search === null || matchesAccountSearch(search, (column) => columns[column]);
      }),
    );
  };
  const inService = async (text: string, wide: boolean): Promise<string[]> => {
    const filters = toAccountFilters(parseAccountSearch(text, wide) ?? []);
    return sortedNames(
      await read(filters.map((filter) => `&or=${encodeURIComponent(`(${filter})`)}`).join('')),
    );
  };
  const inExport = async (text: string, wide: boolean): Promise<string[]> => {
    const response = await service.request('/functions/v1/export-accounts', {
      method: 'POST',
      headers,
      body: JSON.stringify({ search: text, wide }),
    });
    if (response.status !== 200) throw new Error(await response.text());
    return sortedNames(parse(await response.text(), { bom: true, columns: true }) as { name: string }[]);
  };

  it('finds names, email addresses and phone numbers', async () => {
    for (const [text, expected, wide = false] of [
      ['zoe keller', ['Patrol 1', 'Patrol 2']],
      ['keller zoe', ['Patrol 1', 'Patrol 2']],
      ['044 668', ['Patrol 1', 'Patrol 2']],
      ['668', ['Patrol 1', 'Patrol 2', 'Patrol 3']],
      ['+44 (0)20', ['Patrol 5', 'Patrol 6']],
      ['STRASSE', ['Patrol 4', 'Patrol 5']],
      ['8', ['Patrol 8']],
      ['mueller jorg', ['Patrol 6', 'Patrol 7']],
      ['n-2 keller', []],
      ['n-2 keller geneve', ['Patrol 2'], true],
      ['patrol 044-668', ['Patrol 1', 'Patrol 2'], true],
    ] as const)
      expect([text, inBrowser(text, wide), await inService(text, wide), await inExport(text, wide)]).toEqual([
        text,
        expected,
        expected,
        expected,
      ]);
  });

  it('finds the same accounts in the browser, in the Data API and in an export', async () => {
    await fc.assert(
      fc.asyncProperty(queries, fc.boolean(), async (text, wide) => {
        const expected = inBrowser(text, wide);
        expect(await inService(text, wide)).toEqual(expected);
        expect(await inExport(text, wide)).toEqual(expected);
      }),
      // Below the limit of exports per session.
      { numRuns: runs({ short: 30, long: 50 }), seed },
    );
  });

  it('accepts the longest searches', async () => {
    for (const text of ['a b c d e f g', 'ä ö ü', 'ä ö 1-2 3-4 x', '+1 +2 +3 4 5 6', 'ä1 b-200 3-400 x'])
      for (const wide of [false, true])
        for (const sort of ['created_at', 'name_key']) {
          const filters = toAccountFilters(parseAccountSearch(text, wide) ?? []);
          const response = await service.request(
            `/rest/v1/accounts?select=*,name_key&order=${sort},id&limit=200&account_type=eq.enterprise&status=eq.active` +
              filters.map((filter) => `&or=${encodeURIComponent(`(${filter})`)}`).join(''),
            { headers: { ...headers, Prefer: 'count=exact' } },
          );
          expect([text, await response.json()]).toEqual([text, []]);
        }
  });

  it('uses its indexes', async () => {
    const plan = await service.database.transaction(async (tx) => {
      await tx.query(sql`set local enable_seqscan = off`);
      await tx.query(sql`set local role platform_administrator`);
      return tx.query<{ 'QUERY PLAN': string }>(
        sql`explain select id from public.accounts a where a.search_text ~ 'keller' or a.contact_text ~ 'keller'`,
      );
    });
    expect(JSON.stringify(plan)).toContain('accounts_folded_search_idx');
    expect(JSON.stringify(plan)).toContain('accounts_contact_search_idx');
  });
});
