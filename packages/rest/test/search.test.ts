/** Ordered pages of matches in a large table: the response is the same for each search strategy. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRestFixture, type RestFixture } from './support/rest-fixture.ts';
import { eachEngine } from '@lanternrock/testing/engines';
import { runs, seed } from '@lanternrock/testing/property-runs';

const sqlOperators = { like: 'like', ilike: 'ilike', match: '~', imatch: '~*' } as const;

/** Words in the newest, the oldest, every tenth, every and no row. IDs increase with age. */
const script = `
  create table public.shelves (id integer primary key, label text not null);
  create table public.finds (
    id integer primary key,
    name text not null,
    kind text not null,
    shelf_id integer references public.shelves,
    found_at timestamptz not null
  );
  create index on public.finds (found_at desc, id desc);
  create table public.samples (id integer primary key, code bytea, greek text collate "und-x-icu");
  insert into public.samples select n, 'every north', 'every' from generate_series(1, 9) n;
  insert into public.samples values (10, 'every north', 'ΟΔΑΣ''ΒΓΔ ΖΗΘ');
  insert into public.shelves values (0, 'left'), (1, 'right');
  insert into public.finds
    select n,
      concat_ws(' ', 'every', case when n % 10 = 0 then 'tenth' end, case when n <= 15 or n > 24990 then 'edge' end,
        case when n > 24500 then 'oldest' end, case when n = 17000 then 'single' end),
      case when n % 2 = 0 then 'even' else 'odd' end, n % 2, timestamptz '2026-01-01' - n / 2 * interval '1 minute'
    from generate_series(1, 25000) n;
  analyze public.finds;
  create function public.folded(public.finds) returns text language sql immutable as 'select upper($1.name)';
  grant execute on function public.folded(public.finds) to service_role;
  create function public.label(public.finds) returns varchar language sql immutable as 'select $1.name';
  grant execute on function public.label(public.finds) to service_role;
  create view public.finds_view as select * from public.finds;
  create materialized view public.finds_kept as select * from public.finds;
  create table public.finds_parted (like public.finds) partition by range (id);
  create table public.finds_part partition of public.finds_parted default;
  insert into public.finds_parted select * from public.finds;
  grant select on public.shelves, public.finds, public.samples, public.finds_view, public.finds_kept,
    public.finds_parted to service_role;
`;

eachEngine('a search', (engine) => {
  let data: RestFixture;
  let lastStatement = '';
  beforeAll(async () => {
    data = await openRestFixture(engine, script, { onStatement: ({ text }) => (lastStatement = text) });
  });
  afterAll(async () => data.close());

  describe.each(['every', 'tenth', 'edge', 'oldest', 'single', 'nowhere', 'every single', 'tenth oldest'])(
    'of "%s"',
    (word) => {
      it.each([
        { limit: 20, offset: 0 },
        { limit: 200, offset: 200 },
        { limit: 20, offset: 2450 },
        { limit: 1000, offset: 20_000 },
      ])(
        'returns the rows and the total of a plain query (limit $limit, offset $offset)',
        async ({ limit, offset }) => {
          const [expected] = await data.database.query<{ ids: number[]; total: string }>({
            text: `select (select count(*) from public.finds where name ~* $1) as total,
          array(select id from public.finds where name ~* $1 order by found_at desc, id desc limit $2 offset $3) as ids`,
            values: [word, limit, offset],
          });
          const total = Number(expected?.total);
          const response = await data.request(
            `/finds?select=id&or=(name.imatch.${word},kind.imatch.${word})&order=found_at.desc,id.desc&limit=${limit}&offset=${offset}`,
            { headers: { Prefer: 'count=exact' } },
          );
          if (offset > total) return expect(response.status).toBe(416);
          expect((response.body as { id: number }[]).map(({ id }) => id)).toEqual(expected?.ids);
          expect(response.headers.get('content-range')).toMatch(new RegExp(`/${total}$`));
        },
      );
    },
  );

  it('finds the matches of the whole pattern with each selection of its words', async () => {
    await fc.assert(
      fc.asyncProperty(patterns, async ({ operator, text }) => {
        const plainOperator = sqlOperators[operator];
        const rows = await data.database.query<{ id: number }>({
          text: `select id from public.finds where name ${plainOperator} $1 order by found_at desc, id desc limit 20`,
          values: [text],
        });
        const value = encodeURIComponent(operator.endsWith('like') ? text.replaceAll('%', '*') : text);
        const response = await data.request(
          `/finds?select=id&name=${operator}.${value}&order=found_at.desc,id.desc&limit=20`,
        );
        expect(response.body).toEqual(rows);
      }),
      { numRuns: runs({ short: 60, long: 400 }), seed },
    );
  });

  it('finds the matches of all patterns with each selection of their words', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(patterns, { minLength: 2, maxLength: 4 }), async (list) => {
        const values = list.map(({ text }) => text);
        const conditions = list.map(({ operator }, index) => `name ${sqlOperators[operator]} $${index + 1}`);
        const rows = await data.database.query<{ id: number }>({
          text: `select id from public.finds where ${conditions.join(' and ')} order by found_at desc, id desc limit 20`,
          values,
        });
        const filters = list.map(({ operator, text }, index) => {
          const value = encodeURIComponent(operator.endsWith('like') ? text.replaceAll('%', '*') : text);
          return index === 0 ? `name=${operator}.${value}` : `or=(name.${operator}.%22${value}%22)`;
        });
        const response = await data.request(
          `/finds?select=id&${filters.join('&')}&order=found_at.desc,id.desc&limit=20`,
        );
        expect(response.body).toEqual(rows);
      }),
      { numRuns: runs({ short: 60, long: 400 }), seed },
    );
  });

  it('finds the matches of groups with each selection of their words', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(patterns, { minLength: 1, maxLength: 3 }),
        fc.array(patterns, { minLength: 1, maxLength: 3 }),
        async (first, second) => {
          const values = [...first, ...second].map(({ text }) => text);
          const toSql = (list: typeof first, offset: number): string =>
            list
              .map(({ operator }, index) => `name ${sqlOperators[operator]} $${offset + index + 1}`)
              .join(' and ');
          const rows = await data.database.query<{ id: number }>({
            text: `select id from public.finds
                     where ${toSql(first, 0)} or ${toSql(second, first.length)}
                     order by found_at desc, id desc limit 20`,
            values,
          });
          const toFilter = (list: typeof first): string =>
            list
              .map(({ operator, text }) => {
                const value = operator.endsWith('like') ? text.replaceAll('%', '*') : text;
                return `name.${operator}."${value.replace(/["\\]/g, String.raw`\$&`)}"`;
              })
              .join();
          const filter = `(and(${toFilter(first)}),and(${toFilter(second)}))`;
          const response = await data.request(
            `/finds?select=id&or=${encodeURIComponent(filter)}&order=found_at.desc,id.desc&limit=20`,
          );
          expect(response.body).toEqual(rows);
        },
      ),
      { numRuns: runs({ short: 60, long: 400 }), seed },
    );
  });

  it('samples the words of all patterns of a column together', async () => {
    const find = async (filters: string): Promise<unknown> =>
      (await data.request(`/finds?select=id&${filters}&order=found_at.asc,id.desc`)).body;
    expect(await find('or=(name.match.every)&or=(name.match.single)')).toEqual([{ id: 17_000 }]);
    expect(lastStatement).toContain('"rare_words"');
    expect(await find('or=(and(name.match.every,name.match.single),kind.match.nothing)')).toEqual([
      { id: 17_000 },
    ]);
    expect(lastStatement).toContain('"rare_words"');
    expect(await find('or=(name.match.every,kind.match.every)&name=match.single')).toEqual([{ id: 17_000 }]);
    expect(lastStatement).not.toContain('"rare_words"');
    expect(await find('name=match.single&kind=match.even')).toEqual([{ id: 17_000 }]);
    expect(lastStatement).not.toContain('"rare_words"');
  });

  it('uses the whole patterns if every word is frequent', async () => {
    // Without a limit, the first rows are too few.
    const query = '/finds?select=id&name=like.*ever*&name=like.*very*&id=lt.3&order=id';
    expect((await data.request(query)).body).toEqual([{ id: 1 }, { id: 2 }]);
    expect(lastStatement).toContain('"rare_words"');
  });

  it('extracts words from text columns only', async () => {
    const query = '/samples?select=id&code=like.every*north&order=id.desc&limit=1';
    expect((await data.request(query)).body).toEqual([{ id: 10 }]);
  });

  it('extracts no words from text with context-dependent letters', async () => {
    // Without a limit, the first rows are too few, so the statement looks up all matches.
    const query = `/samples?select=id&greek=ilike.*${encodeURIComponent("ΟΔΑΣ'ΒΓΔ ΖΗΘ")}*&order=id`;
    expect((await data.request(query)).body).toEqual([{ id: 10 }]);
  });

  it.each([
    ['finds', true],
    ['finds_kept', true],
    ['finds_view', false],
    ['finds_parted', false],
  ])('finds matches in %s, with and without TABLESAMPLE', async (name, sampled) => {
    const response = await data.request(`/${name}?select=id&name=ilike.*every*single*&order=found_at.asc`);
    expect(response.body).toEqual([{ id: 17_000 }]);
    expect(lastStatement.includes('tablesample')).toBe(sampled);
  });

  it('uses whole patterns if there are too many to sample', async () => {
    const query = (patterns: number): string =>
      `/finds?select=id&or=(${Array(patterns).fill('name.ilike.*every*single*').join()})&order=id`;
    expect((await data.request(query(6))).body).toEqual([{ id: 17_000 }]);
    expect(lastStatement).toContain('unnest(');
    expect((await data.request(query(7))).body).toEqual([{ id: 17_000 }]);
    expect(lastStatement).not.toContain('unnest(');
  });

  it('sorts matches by a computed column', async () => {
    const query = 'name=match.oldest&order=folded.asc,id.asc&limit=3';
    const { body } = await data.request(`/finds?select=*,folded&${query}`);
    expect(lastStatement).toContain('"first_matches"');
    const expected = await data.database.query({
      text: `select id, public.folded(f) as folded from public.finds f where name ~ 'oldest'
             order by public.folded(f), id limit 3`,
      values: [],
    });
    expect(body).toMatchObject(expected);
    expect(Object.keys((body as object[])[0] ?? {}).join()).toBe('id,name,kind,shelf_id,found_at,folded');
  });

  it('searches computed columns, which * does not return', async () => {
    const query = 'folded=match.EVERY.OLDEST&order=found_at.desc,id.desc&limit=2';
    expect((await data.request(`/finds?select=id&${query}`)).body).toEqual([{ id: 24_501 }, { id: 24_503 }]);
    expect(lastStatement).toContain('"first_matches"');
    const whole = await data.request(`/finds?${query}`, { headers: { Prefer: 'count=exact' } });
    expect((whole.body as object[]).map((row) => Object.keys(row).join())).toEqual(
      Array(2).fill('id,name,kind,shelf_id,found_at'),
    );
    expect(whole.headers.get('content-range')).toBe('0-1/441');
    const words = await data.request(
      '/finds?select=id,shelves(label)&folded=match.EVERY%20TENTH%20SINGLE&order=found_at.desc,id.desc',
    );
    expect(words.body).toEqual([{ id: 17_000, shelves: { label: 'left' } }]);
    expect(lastStatement).toContain('unnest(');
  });

  it.each(['name', 'folded', 'label'])('compares words with LIKE in the text column %s', async (column) => {
    await data.request(`/finds?select=id&${column}=match.unknown&order=kind`);
    expect(lastStatement).toContain(' like ');
    expect(lastStatement).not.toContain(' ~ ');
  });

  it('supports other filters, embeds, complete rows and singular responses', async () => {
    const filtered = await data.request(
      '/finds?select=id,shelves(label)&name=like.*tenth*&kind=eq.even&shelves.label=eq.left&order=id&limit=2',
    );
    expect(filtered.body).toEqual([
      { id: 10, shelves: { label: 'left' } },
      { id: 20, shelves: { label: 'left' } },
    ]);
    const whole = await data.request('/finds?name=match.single&order=id', {
      headers: { Accept: 'application/vnd.pgrst.object+json' },
    });
    expect(whole.body).toMatchObject({ id: 17_000, kind: 'even', shelf_id: 0 });
    expect((await data.request('/finds?select=id&name=ilike.*EDGE*&order=id&limit=1&id=gt.15')).body).toEqual(
      [{ id: 24_991 }],
    );
  });
});

/** Arbitrary of patterns from complete and partial words of the rows, in both cases, with separators. */
const patterns = fc
  .tuple(
    fc.constantFrom('like', 'ilike', 'match', 'imatch'),
    fc.array(
      fc.tuple(
        fc.constantFrom('every', 'very', 'tenth', 'edge', 'EDGE', 'oldest', 'old', 'single', 'ingl', 'e'),
        fc.constantFrom(' ', ' ', 'any', 'any', '_', ''),
      ),
      { minLength: 1, maxLength: 4 },
    ),
  )
  .map(([operator, pieces]) => {
    const isLike = operator.endsWith('like');
    const any = isLike ? '%' : '.*';
    const text = pieces
      .flatMap(([word, between]) => [
        word,
        between === 'any' ? any : between === '_' && !isLike ? '.' : between,
      ])
      .join('');
    return { operator, text: isLike ? `%${text}%` : text };
  });
