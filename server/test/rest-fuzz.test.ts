/** REST-05: requests that nobody would send. No failure of the service, and no row that is not the caller's. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '../src/database/sql.ts';
import { openDataInterface, type DataInterface } from './support/data-interface.ts';
import { eachEngine } from './support/engines.ts';
import { libraryScript } from './support/library.ts';

const runs = Number(process.env['FUZZ_RUNS'] ?? 150);
const seed = Number(process.env['FUZZ_SEED'] ?? 20_261_102);

const script = `${libraryScript}
  create table public.own (id integer primary key, secret text, book_id bigint references public.books);
  insert into public.own values (1, 'mine', 1), (2, 'hidden-word', 2);
  alter table public.own enable row level security;
  create policy own on public.own for select to authenticated using (id = 1);
  create policy everything on public.own for select to service_role using (true);
  grant select on public.own to service_role;
  grant select on public.own, public.books to authenticated;
`;

const column = fc.constantFrom(
  'id',
  'secret',
  'book_id',
  'title',
  'facts',
  'shelf',
  'loaned',
  'author_id',
  'nothing',
  'loud',
  '"',
  'count()',
  'id.sum()',
);
const value = fc.oneof(
  fc.constantFrom(
    '1',
    'x',
    '{a,b}',
    '[1,2)',
    '(1,2)',
    'null',
    '%',
    '*',
    '(a+)+$',
    "'; select pg_sleep(1); --",
    '"',
    '\\',
    '{"a":1}',
    'NaN',
    '99999999999999999999',
  ),
  fc.string({ unit: 'grapheme', maxLength: 6 }),
);
const operator = fc.constantFrom(
  'eq',
  'neq',
  'gt',
  'lt',
  'like',
  'ilike',
  'match',
  'imatch',
  'in',
  'is',
  'isdistinct',
  'cs',
  'cd',
  'ov',
  'sl',
  'adj',
  'fts',
  'wfts(english)',
  'not.eq',
  'eq(any)',
  'like(all)',
  'foo',
);
const path = fc.constantFrom('', '->a', '->>a', '->0', '->a->>b');
const filter = fc
  .tuple(column, path, operator, value)
  .map(([name, way, op, text]) => `${encodeURIComponent(name + way)}=${op}.${encodeURIComponent(text)}`);
const item = fc
  .tuple(column, path, fc.constantFrom('', '::text', '::int', '::regclass', '::jsonb'))
  .map((parts) => parts.join(''));
const embed = fc
  .tuple(
    fc.constantFrom('books', 'own', 'authors', '...books', 'books!inner', 'x:books!nothing', 'tags'),
    fc.array(item, { maxLength: 2 }),
  )
  .map(([name, items]) => `${name}(${items.join(',')})`);
const query = fc
  .record({
    select: fc.array(fc.oneof(item, embed, fc.constant('*')), { maxLength: 3 }),
    filters: fc.array(filter, { maxLength: 3 }),
    rest: fc.array(
      fc.oneof(
        fc.constantFrom(
          'limit=1',
          'limit=-1',
          'offset=2',
          'order=id',
          'order=nothing.desc',
          'order=books(title)',
          'books.limit=1',
          'or=(id.eq.1,title.eq.x)',
          'and=()',
        ),
        fc.string({ maxLength: 8 }).map((text) => encodeURIComponent(text)),
      ),
      { maxLength: 3 },
    ),
  })
  .map(({ select, filters, rest }) =>
    [`select=${encodeURIComponent(select.join(','))}`, ...filters, ...rest].join('&'),
  );
const prefer = fc.constantFrom(
  '',
  'count=exact',
  'count=planned',
  'handling=strict,x',
  'timezone=Nowhere',
  'count=exact,tx=rollback',
);
const accept = fc.constantFrom(
  '*/*',
  'application/vnd.pgrst.object+json',
  'text/csv',
  'application/vnd.pgrst.array+json;nulls=stripped',
  'image/png',
);

eachEngine('hostile requests', (engine) => {
  let data: DataInterface;
  beforeAll(async () => {
    data = await openDataInterface(engine, script, { AGGREGATES: 'on' });
  });
  afterAll(async () => data.close());

  it(`are answered or refused (seed ${seed})`, { timeout: 120_000 }, async () => {
    const checksum = async (): Promise<unknown> =>
      data.database.query(sql`select md5(string_agg(o::text, '')) from public.own o`);
    const before = await checksum();
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('anon', 'authenticated' as const),
        fc.constantFrom('own', 'books', 'authors'),
        query,
        prefer,
        accept,
        async (as, table, text, preference, type) => {
          const answer = await data.ask(`/${table}?${text}`, {
            as: as as 'anon',
            headers: { Prefer: preference, Accept: type },
          });
          expect(answer.status, answer.text).toBeLessThan(500);
          expect(answer.text).not.toContain('hidden-word');
          if (as === 'anon') expect(answer.status).toBeGreaterThanOrEqual(400);
        },
      ),
      { numRuns: runs, seed },
    );
    expect(await checksum()).toEqual(before);
  });

  it('REST-26 keeps the roles of interleaved requests apart', async () => {
    const roles = ['anon', 'authenticated', 'service_role'] as const;
    const expected = { anon: 401, authenticated: 200, service_role: 200 };
    const answers = await Promise.all(
      Array.from({ length: 300 }, async (_, index) => {
        const as = roles[index % 3] ?? 'anon';
        // Every seventh fails inside the database.
        const failing = index % 7 === 0;
        const { status, body } = await data.ask(`/own?select=id${failing ? '&id=eq.x' : ''}`, { as });
        if (failing) return [400, 401].includes(status);
        return status === expected[as] && (as !== 'authenticated' || JSON.stringify(body) === '[{"id":1}]');
      }),
    );
    expect(answers.filter((right) => !right)).toEqual([]);
  });
});
