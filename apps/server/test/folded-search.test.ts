/** Searches by words that fold case and accents: one rule in the browser and in the database. */
import { matchesAccountSearch, parseAccountSearch } from '@lanternrock/contract/account-search';
import { foldSpellings, foldText } from '@lanternrock/contract/fold-text';
import { toAccountFilters } from '@lanternrock/contract/search-filters';
import { toSearchedText } from '@lanternrock/contract/text-search';
import { sql } from '@lanternrock/postgres';
import { runs, seed } from '@lanternrock/testing/property-runs';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eachEngine, startTestService, type TestService, type TestUser } from './support/test-service.ts';

const order = 'order=created_at.desc,id.desc';

/**
 * Ranges with the characters that were assigned after Unicode 13, and others between them: versions of Postgres and Node.js
 * differ in the decompositions and classes of the recent ones.
 */
const recentRanges = [
  [0x897, 0x89f],
  [0x8c8, 0x8d3],
  [0xc3c, 0xc3c],
  [0x1ac0, 0x1aff],
  [0x1df6, 0x1dff],
  [0xa7c0, 0xa7f4],
  [0x1_07_80, 0x1_d3_ff],
  [0x1_d8_00, 0xd_ff_ff],
  [0xe_01_f0, 0x10_ff_ff],
] as const;
const isRecent = (character: string): boolean => {
  const code = character.codePointAt(0) ?? 0;
  return /\p{Cn}/u.test(character) || recentRanges.some(([first, last]) => code >= first && code <= last);
};

const characters = fc
  .oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    fc.integer({ min: 0x20, max: 0x58f }).map((code) => String.fromCodePoint(code)),
    fc.constantFrom(...Array.from('ßẞÆœØøđŁıİςΣ½ﬁ①ＡǼấ\u0301\u0345한が𝐀𝛼\u{e0041}')),
    fc.constantFrom(...Array.from('aouAOUäöüÄÖÜåÅǖ\u0308\u030a\u200b\u200f\u00ad\ufe0f\ufeff‘’ʼ‐–—־׳')),
  )
  .filter((character) => character !== '\0' && !isRecent(character));
const texts = fc.array(characters, { maxLength: 30 }).map((list) => list.join(''));

/** Texts of names and searches: umlauts and their spellings, marks, punctuation, characters without width, two directions. */
const searched = fc.string({
  unit: fc.constantFrom(
    ...Array.from('aeouäöüÜåøØæßszZ '),
    ...Array.from('-–\'’.%_\\(*",שلم'),
    'u\u0308',
    '\u0301',
    '\u200b',
    '\u2060',
  ),
  maxLength: 8,
});

const toQuery = (text: string, isWide: boolean): string =>
  toAccountFilters(parseAccountSearch(text, isWide) ?? [])
    .map((filter) => `or=(${encodeURIComponent(filter)})`)
    .join('&');

eachEngine('a folded search', (engine) => {
  let service: TestService;
  let admin: TestUser;
  let token: string;
  beforeAll(async () => {
    service = await startTestService(engine);
    admin = await service.createUser({ isAdministrator: true });
    token = (await service.signIn(admin)).access_token;
    await service.database.query(
      sql`insert into public.accounts (name, slug, account_type, city)
          select name, 'n-' || place, 'organization', 'Genève'
            from unnest(array['Zürich Seenot', 'ZÜRICH SEENOT', 'Zurich Rescue', 'Straße 7', 'ŁÓDŹ Łódka', 'Ski Patrol'])
              with ordinality as a (name, place)`,
    );
  });
  afterAll(() => service.close());

  const find = async (filter: string): Promise<Record<string, unknown>[]> => {
    const response = await service.request(`/rest/v1/accounts?select=*&${filter}&${order}`, {
      headers: { apikey: service.anonKey, Authorization: `Bearer ${token}` },
    });
    if (response.status !== 200) throw new Error(await response.text());
    return (await response.json()) as Record<string, unknown>[];
  };
  const names = async (text: string): Promise<unknown[]> => {
    const rows = await find(`search_text=match.${encodeURIComponent(foldText(text))}`);
    return rows.map(({ name }) => name).toSorted();
  };

  it('finds names in any case and with any accents', async () => {
    const all = ['Zurich Rescue', 'ZÜRICH SEENOT', 'Zürich Seenot'].toSorted();
    for (const text of ['zurich', 'zürich', 'ZURICH', 'Zu\u0308rich']) expect(await names(text)).toEqual(all);
    expect(await names('strasse')).toEqual(['Straße 7']);
    expect(await names('lodz lodka')).toEqual(['ŁÓDŹ Łódka']);
    expect(await names('n-6')).toEqual(['Ski Patrol']);
    expect(await find('place_text=match.geneve')).toHaveLength(6);
  });

  it('finds words in any order and both spellings of umlauts', async () => {
    const found = async (text: string, isWide = false): Promise<unknown[]> =>
      (await find(toQuery(text, isWide))).map(({ name }) => name).toSorted();
    const zurich = ['ZÜRICH SEENOT', 'Zürich Seenot'];
    for (const text of ['seenot zürich', 'see zue', 'SEENOT Zuerich', 'zu\u200br see'])
      expect(await found(text)).toEqual(zurich);
    expect(await found('see geneve')).toEqual([]);
    expect(await found('see geneve', true)).toEqual(zurich);
  });

  it('finds the same accounts as the browser', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(searched, searched), { minLength: 1, maxLength: 6 }),
        fc.array(searched, { maxLength: 3 }),
        async (places, others) => {
          const rows = places.map(([name, city], index) => ({ name: `x${name}x`, slug: `g-${index}`, city }));
          await service.database.query(sql`delete from public.accounts where slug like 'g-%'`);
          await service.database.query(
            sql`insert into public.accounts (name, slug, account_type, city)
                select name, slug, 'organization', city from unnest(${rows.map(({ name }) => name)}::text[],
                  ${rows.map(({ slug }) => slug)}::text[], ${rows.map(({ city }) => city)}::text[]) as t (name, slug, city)`,
          );
          const searches = [
            ...others,
            ...rows.flatMap(({ name, city }) => [name.split(' ').toReversed().join(' '), `${city} ${name}`]),
          ];
          for (const text of searches) {
            for (const isWide of [false, true]) {
              const found = await find(`slug=like.g-*&${toQuery(text, isWide)}`);
              const search = parseAccountSearch(text, isWide);
              const expected = rows.filter(({ name, slug, city }) => {
                const columns = {
                  search_text: toSearchedText([name, slug]),
                  place_text: toSearchedText([city]),
                  contact_text: '',
                };
                return search === null || matchesAccountSearch(search, (column) => columns[column]);
              });
              expect(found.map(({ slug }) => slug).toSorted(), text).toEqual(
                expected.map(({ slug }) => slug),
              );
            }
          }
        },
      ),
      { numRuns: runs({ short: 30, long: 300 }), seed },
    );
    await service.database.query(sql`delete from public.accounts where slug like 'g-%'`);
  });

  it('returns no more columns than a read without a search', async () => {
    const [plain] = await find('limit=1');
    const [found] = await find('search_text=match.ski&limit=1');
    expect(Object.keys(found ?? {})).toEqual(Object.keys(plain ?? {}));
    expect(Object.keys(found ?? {})).not.toContain('search_text');
  });

  it('uses its index', async () => {
    const plan = await service.database.transaction(async (tx) => {
      await tx.query(sql`set local enable_seqscan = off`);
      await tx.query(sql`set local role platform_administrator`);
      return tx.query<{ 'QUERY PLAN': string }>(
        sql`explain select id from public.accounts a where a.search_text ~ 'zurich'`,
      );
    });
    expect(JSON.stringify(plan)).toContain('accounts_folded_search_idx');
  });

  it('uses an index of the places', async () => {
    const plan = await service.database.transaction(async (tx) => {
      await tx.query(sql`set local enable_seqscan = off`);
      await tx.query(sql`set local role platform_administrator`);
      return tx.query<{ 'QUERY PLAN': string }>(
        sql`explain select id from public.accounts a where a.search_text ~ 'zurich' or a.place_text ~ 'zurich'`,
      );
    });
    expect(JSON.stringify(plan)).toMatch(/accounts_folded_search_idx.*accounts_folded_place_idx/);
  });

  it('folds every text like the browser', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(texts, { minLength: 1, maxLength: 50 }), async (list) => {
        const rows = await service.database.query<{ folded: string; spellings: string }>(
          sql`select private.fold_text(value) as folded, private.spellings(value) as spellings
              from unnest(${list}::text[]) with ordinality as t (value, place) order by place`,
        );
        expect(rows.map(({ folded }) => folded)).toEqual(list.map(foldText));
        expect(rows.map(({ spellings }) => spellings)).toEqual(
          list.map((text) => foldSpellings(text).join('\n')),
        );
      }),
      { numRuns: runs({ short: 100, long: 2000 }), seed },
    );
  });

  it('stores no name and place whose folded text is more than three times as long as allowed', async () => {
    const before = await service.fingerprint();
    for (const [name, city, state] of [
      ['\ufdfa'.repeat(34), '', ''],
      ['\u3316'.repeat(121), '', ''],
      ['x', '\ufdfa'.repeat(17), ''],
      ['x', '', '\ufdfa'.repeat(9)],
    ] as const)
      await expect(
        service.database.query(
          sql`insert into public.accounts (name, slug, account_type, city, state) values (${name}, 'x', 'organization', ${city}, ${state})`,
        ),
      ).rejects.toMatchObject({ code: '23514' });
    expect(await service.fingerprint()).toBe(before);
    await service.database.query(
      sql`insert into public.accounts (name, slug, account_type, city, state) values
          (${'\uac01'.repeat(200)}, 'x', 'organization', ${'\ufdfa'.repeat(16)}, ${'\u1ea4'.repeat(50)})`,
    );
    await service.database.query(sql`delete from public.accounts where slug = 'x'`);
  });

  it('folds every character up to U+24FE like the browser', async () => {
    const all = Array.from({ length: 0x24ff - 0x20 }, (_, index) =>
      String.fromCodePoint(index + 0x20),
    ).filter((character) => !isRecent(character));
    const rows = await service.database.query<{ folded: string }>(
      sql`select private.fold_text(value) as folded from unnest(${all}::text[]) with ordinality as t (value, place)
          order by place`,
    );
    expect(rows.map(({ folded }) => folded)).toEqual(all.map(foldText));
  });
});
