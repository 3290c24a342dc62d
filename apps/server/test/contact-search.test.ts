/** Searches that find the contacts of accounts: one rule in the browser, in the Data API and in an export. */
import { contactSearchText } from '@lanternrock/contract/contact-search';
import { foldText } from '@lanternrock/contract/fold-text';
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
  readonly contact_text: string | null;
}

const contacts = [
  ['Zoë Keller', '+41446681800', 'zoe.keller@example.org'],
  ['Łukasz', '+48221234567', 'ops668@example.org'],
  ['=Ben (duty) 100%', '+12125550100', null],
  ['Straße 44', null, 'a_b+c@example.org'],
  ['Ann', '+442079460000', null],
] as const;

const numbers = contacts.flatMap(([, phone]) => phone?.slice(1) ?? []);
const texts = contacts.flatMap(([name, , email]) => (email === null ? [name] : [name, email]));
const part = (text: string): fc.Arbitrary<string> =>
  fc
    .tuple(fc.nat(text.length - 1), fc.integer({ min: 1, max: text.length }))
    .map(([from, length]) => text.slice(from, from + length));
const separator = fc.constantFrom('', '', ' ', '-', '/', '.', '(0)', ' (', ') ');
const punctuated = (digits: string): fc.Arbitrary<string> =>
  fc
    .array(separator, { minLength: digits.length, maxLength: digits.length })
    .map((between) => Array.from(digits, (digit, index) => digit + (between[index] ?? '')).join(''));
const queries = fc.oneof(
  fc.constantFrom(...texts).chain(part),
  fc.constantFrom(...texts).map((text) => text.toUpperCase()),
  fc
    .constantFrom(...numbers)
    .chain(part)
    .chain(punctuated)
    .chain((text) => fc.constantFrom(text, `+${text}`, `00${text}`, `0${text}`)),
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
      sql`insert into public.accounts (name, slug, account_type)
          select 'Patrol ' || n, 'n-' || n, 'organization' from generate_series(1, 8) n`,
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
  const names = (list: readonly { name: string }[]): string[] => list.map(({ name }) => name).toSorted();

  const inBrowser = (text: string): string[] => {
    const folded = foldText(text);
    const search = contactSearchText(text);
    return names(
      accounts.filter(
        ({ name, slug, contact_text: found }) =>
          foldText(name).includes(folded) ||
          slug.includes(folded) ||
          (search !== null && found?.includes(search) === true),
      ),
    );
  };
  const inService = async (text: string): Promise<string[]> => {
    const search = contactSearchText(text);
    const match = (column: string, value: string): string => {
      const pattern = value.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
      return `${column}.match."${pattern.replace(/["\\]/g, String.raw`\$&`)}"`;
    };
    const filters = [
      match('search_text', foldText(text)),
      ...(search === null ? [] : [match('contact_text', search)]),
    ];
    return names(await read(`&or=${encodeURIComponent(`(${filters.join()})`)}`));
  };
  const inExport = async (text: string): Promise<string[]> => {
    const response = await service.request('/functions/v1/export-accounts', {
      method: 'POST',
      headers,
      body: JSON.stringify({ search: text }),
    });
    if (response.status !== 200) throw new Error(await response.text());
    return names(parse(await response.text(), { bom: true, columns: true }) as { name: string }[]);
  };

  it('finds names, email addresses and phone numbers', async () => {
    for (const [text, expected] of [
      ['zoe keller', ['Patrol 1', 'Patrol 2']],
      ['044 668', ['Patrol 1', 'Patrol 2']],
      ['668', ['Patrol 1', 'Patrol 2', 'Patrol 3']],
      ['+44 (0)20', ['Patrol 5', 'Patrol 6']],
      ['STRASSE', ['Patrol 4', 'Patrol 5']],
      ['8', ['Patrol 8']],
    ] as const)
      expect([text, inBrowser(text), await inService(text), await inExport(text)]).toEqual([
        text,
        expected,
        expected,
        expected,
      ]);
  });

  it('finds the same accounts in the browser, in the Data API and in an export', async () => {
    await fc.assert(
      fc.asyncProperty(
        queries.map((text) => text.trim()).filter((text) => text !== ''),
        async (text) => {
          const expected = inBrowser(text);
          expect(await inService(text)).toEqual(expected);
          expect(await inExport(text)).toEqual(expected);
        },
      ),
      // Below the limit of exports per session.
      { numRuns: runs({ short: 30, long: 50 }), seed },
    );
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
