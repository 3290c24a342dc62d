/** REST-05: random requests cause no internal error and return no rows of other users. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { openRestFixture, type RestFixture } from './support/rest-fixture.ts';
import { eachEngine } from '@lanternrock/testing/engines';
import { hostileAccept, hostileBody, hostilePrefer, hostileQuery } from './support/hostile-arbitraries.ts';
import { libraryScript } from './support/library-schema.ts';
import { runs, seed } from '@lanternrock/testing/property-runs';
import { findUnexpectedLiterals } from './support/sql-literals.ts';

const numRuns = runs({ short: 2000, long: 20_000 });

const script = `${libraryScript}
  create table public.own (id integer primary key, secret text, book_id bigint references public.books);
  insert into public.own values (1, 'mine', 1), (2, 'hidden-word', 2);
  alter table public.own enable row level security;
  create policy own on public.own for select to authenticated using (id = 1);
  create policy everything on public.own for select to service_role using (true);
  grant select on public.own to service_role;
  grant select on public.own, public.books to authenticated;
`;

/** Text in statements that does not come from requests: the default of `books.id`. */
const expectedText = /^public\.books_id_seq$/;

eachEngine('hostile requests', (engine) => {
  const statements: string[] = [];
  let data: RestFixture;
  beforeAll(async () => {
    data = await openRestFixture(engine, script, {
      settings: { AGGREGATES: true, TX_OVERRIDE: true },
      onStatement: ({ text }) => statements.push(text),
    });
  });
  afterAll(async () => data.close());

  const ownRows = async (): Promise<unknown> =>
    data.database.query(sql`select md5(string_agg(o::text, '')) from public.own o`);

  const request = fc.record({
    as: fc.constantFrom('anon', 'authenticated'),
    headers: fc.record({ Prefer: hostilePrefer, Accept: hostileAccept }),
    path: fc.oneof(
      {
        weight: 4,
        arbitrary: fc
          .tuple(fc.constantFrom('own', 'books', 'authors'), hostileQuery)
          .map((parts) => parts.join('?')),
      },
      // Random bytes.
      {
        weight: 1,
        arbitrary: fc
          .uint8Array({ maxLength: 40 })
          .map(
            (bytes) => `own?${[...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')}`,
          ),
      },
      {
        weight: 1,
        arbitrary: fc
          .string({ maxLength: 30 })
          .map((text) => `own?${encodeURI(text).replaceAll('#', '%23')}`),
      },
    ),
  });

  it(
    `run compiled statements only and cause no internal error (seed ${seed})`,
    { tags: ['REST-05'], timeout: 900_000 },
    async () => {
      const before = await ownRows();
      await fc.assert(
        fc.asyncProperty(request, async ({ as, headers, path }) => {
          statements.length = 0;
          const response = await data.request(`/${path}`, { as, headers });
          expect(response.status, response.text).toBeLessThan(500);
          expect(response.text).not.toContain('hidden-word');
          if (as === 'anon') expect(response.status).toBeGreaterThanOrEqual(400);
          expect(statements.flatMap(findUnexpectedLiterals)).toEqual([]);
        }),
        { numRuns, seed },
      );
      expect(await ownRows()).toEqual(before);
    },
  );

  const write = fc.record({
    method: fc.constantFrom('POST', 'PUT', 'PATCH'),
    path: fc.constantFrom(
      'tags',
      'tags?label=eq.1',
      'books?id=eq.1',
      'books?columns=id,title',
      'own?id=eq.1',
      'rpc/loud',
    ),
    prefer: fc.constantFrom(
      '',
      'return=representation',
      'resolution=merge-duplicates',
      'missing=default',
      'tx=rollback',
    ),
    body: hostileBody,
  });

  it(
    `run compiled statements only with hostile bodies (seed ${seed})`,
    { tags: ['REST-05'], timeout: 900_000 },
    async () => {
      const before = await ownRows();
      await fc.assert(
        fc.asyncProperty(write, async ({ method, path, prefer, body }) => {
          statements.length = 0;
          const response = await data.request(`/${path}`, {
            method,
            body: body.text,
            headers: { 'Content-Type': body.type, Prefer: prefer },
          });
          expect(response.status, response.text).toBeLessThan(500);
          const unexpectedLiterals = statements
            .flatMap(findUnexpectedLiterals)
            .filter((text) => !expectedText.test(text));
          expect(unexpectedLiterals).toEqual([]);
        }),
        { numRuns: runs({ short: 300, long: 5000 }), seed },
      );
      expect(await ownRows()).toEqual(before);
    },
  );

  it('separates the roles of concurrent requests', { tags: ['REST-26'] }, async () => {
    const roles = ['anon', 'authenticated', 'service_role'] as const;
    const expected = { anon: 401, authenticated: 200, service_role: 200 };
    const failures: unknown[] = [];
    // A few hundred concurrent requests are sufficient; more would time out waiting for a connection.
    for (let round = 0; round < runs({ short: 1, long: 7 }); round += 1) {
      await Promise.all(
        Array.from({ length: 300 }, async (_, index) => {
          const as = roles[index % 3] ?? 'anon';
          // Every seventh request fails in the database.
          const failing = index % 7 === 0;
          const { status, body } = await data.request(`/own?select=id${failing ? '&id=eq.x' : ''}`, { as });
          const isCorrect = failing
            ? [400, 401].includes(status)
            : status === expected[as] && (as !== 'authenticated' || JSON.stringify(body) === '[{"id":1}]');
          if (!isCorrect) failures.push([as, status, body]);
        }),
      );
    }
    expect(failures).toEqual([]);
  });
});
