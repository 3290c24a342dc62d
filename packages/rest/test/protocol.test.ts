import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import type { DatabaseRole } from '@lanternrock/rest/types';
import { openRestFixture, type RestFixture } from './support/rest-fixture.ts';
import { eachEngine } from '@lanternrock/testing/engines';
import { libraryScript } from './support/library-schema.ts';

const script = `${libraryScript}
  create schema other;
  grant usage on schema other to service_role;
  create table other.stones (id integer primary key);
  insert into other.stones values (7);
  grant select on other.stones to service_role;
  create table public.many (id integer primary key);
  insert into public.many select generate_series(1, 30);
  create table public.many_parts (id integer primary key, many_id integer references public.many);
  insert into public.many_parts select i, 1 from generate_series(1, 30) i;
  grant select on public.many, public.many_parts to service_role, authenticated;
  grant insert on public.many_parts to authenticated;
  analyze public.many;
  create table public.guessed as select i as id from generate_series(1, 30) i;
  analyze public.guessed;
  delete from public.guessed where id > 20;
  grant select on public.guessed to service_role, authenticated;
  grant select (id) on public.guessed to anon;
  create function public.wait(seconds double precision) returns text language plpgsql stable
    as $$begin perform pg_sleep(seconds); return 'done'; end$$;
  grant execute on function public.wait(double precision) to service_role;
  create function public.seen_settings() returns json language sql stable as $$
    select json_agg(current_setting('request.' || name, true))
      from unnest(array['method', 'path', 'headers', 'cookies']) as name
  $$;
  grant execute on function public.seen_settings() to service_role;
`;

eachEngine('protocol', (engine) => {
  let data: RestFixture;
  beforeAll(async () => {
    data = await openRestFixture(engine, script, {
      settings: { EXPOSED_SCHEMAS: ['public', 'other'], MAX_ROWS: 20 },
    });
  });
  afterAll(async () => data.close());

  const errorCode = (body: unknown): string => (body as { code: string }).code;
  const readError = async (
    path: string,
    init: Parameters<RestFixture['request']>[1] = {},
  ): Promise<unknown[]> => {
    const { status, body, headers } = await data.request(path, init);
    expect(Object.keys(body as object).sort()).toEqual(['code', 'details', 'hint', 'message']);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('proxy-status')).toBe(`lanternrock; error=${errorCode(body)}`);
    return [status, errorCode(body)];
  };

  describe('paths and methods', () => {
    it.each<[string, string, number, string]>([
      ['GET', '/nothing', 404, 'PGRST205'],
      ['POST', '/', 405, 'PGRST117'],
      ['GET', '/books/1', 404, 'PGRST125'],
      ['GET', '//books', 404, 'PGRST125'],
      ['GET', '/books/', 404, 'PGRST125'],
      ['GET', '/rpc/', 404, 'PGRST125'],
      ['GET', '/rpc/loud/x', 404, 'PGRST125'],
      ['GET', '/rpc', 404, 'PGRST205'],
      ['GET', '/BOOKS', 404, 'PGRST205'],
      ['GET', '/books.', 404, 'PGRST205'],
      ['GET', '/auth.users', 404, 'PGRST205'],
      ['GET', '/pg_authid', 404, 'PGRST205'],
      ['GET', '/books%00', 404, 'PGRST125'],
      ['GET', '/%ff', 404, 'PGRST125'],
      ['GET', '/books%2Fx', 404, 'PGRST125'],
      ['GET', '/books"--', 404, 'PGRST205'],
      ['GET', `/${'x'.repeat(10_000)}`, 404, 'PGRST205'],
      ['PUT', '/', 405, 'PGRST117'],
      ['PUT', '/rpc/loud', 405, 'PGRST101'],
      ['QUERY', '/books', 405, 'PGRST117'],
    ])('responds to %s %s with %i %s', { tags: ['REST-20'] }, async (method, path, status, code) => {
      expect(await readError(path, { method })).toEqual([status, code]);
    });

    it('returns the supported methods of a relation for OPTIONS', async () => {
      const allow = async (name: string): Promise<string | null> =>
        (await data.request(name, { method: 'OPTIONS' })).headers.get('allow');
      expect(await allow('/books')).toBe('OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE');
      expect(await allow('/odd%20names')).toBe('OPTIONS,GET,HEAD,POST,PATCH,DELETE');
      expect(await allow('/book_list_again')).toBe('OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE');
      expect(await readError('/nothing', { method: 'OPTIONS' })).toEqual([404, 'PGRST205']);
    });

    it('ignores method override headers', async () => {
      const { status, body } = await data.request('/many?id=eq.1', {
        headers: { 'X-HTTP-Method-Override': 'DELETE' },
      });
      expect([status, body]).toEqual([200, [{ id: 1 }]]);
    });
  });

  describe('schemas', () => {
    it('reads the schema from the profile header of the method', async () => {
      const other = await data.request('/stones', { headers: { 'Accept-Profile': 'other' } });
      expect([other.body, other.headers.get('content-profile')]).toEqual([[{ id: 7 }], 'other']);
      expect(
        (await data.request('/many?limit=1', { headers: { 'Accept-Profile': 'public' } })).headers.get(
          'content-profile',
        ),
      ).toBe('public');
      expect(await readError('/stones')).toEqual([404, 'PGRST205']);
      expect(await readError('/stones', { headers: { 'Content-Profile': 'other' } })).toEqual([
        404,
        'PGRST205',
      ]);
      expect(
        await readError('/stones', {
          method: 'POST',
          body: { id: 1 },
          headers: { 'Content-Profile': 'other' },
        }),
      ).toEqual([403, '42501']);
    });

    it.each([
      'auth',
      'private',
      'pg_catalog',
      'information_schema',
      'platform',
      'public; drop schema other',
      'Public',
      '',
    ])('rejects the schema "%s"', { tags: ['REST-20'] }, async (schema) => {
      const { status, body } = await data.request('/books', { headers: { 'Accept-Profile': schema } });
      expect([status, body]).toEqual([
        406,
        {
          code: 'PGRST106',
          message: `Invalid schema: ${schema}`,
          details: null,
          hint: 'Only the following schemas are exposed: public, other',
        },
      ]);
    });
  });

  describe('limits', () => {
    it('limits the rows of a response and of each embed', { tags: ['REST-24'] }, async () => {
      const { headers, body, status } = await data.request('/many?limit=1000000000', {
        headers: { Prefer: 'count=exact' },
      });
      expect([status, headers.get('content-range'), (body as unknown[]).length]).toEqual([
        206,
        '0-19/30',
        20,
      ]);
      const embedded = await data.request('/many?id=eq.1&select=many_parts(id)');
      expect((embedded.body as { many_parts: unknown[] }[])[0]?.many_parts.length).toBe(20);
      expect((await data.request('/many?offset=99999999999999999999')).body).toEqual([]);
      expect(await readError('/many?offset=1000000000', { headers: { Prefer: 'count=exact' } })).toEqual([
        416,
        'PGRST103',
      ]);
    });

    it('rejects too many parameters', { tags: ['REST-22'] }, async () => {
      expect(await readError(`/many?${'id=eq.1&'.repeat(1001)}`)).toEqual([400, 'PGRST100']);
      expect((await data.request(`/many?${'id=eq.1&'.repeat(200)}`)).status).toBe(200);
    });
  });

  describe('counts', () => {
    it('returns an estimated count to the service role', async () => {
      const range = async (path: string, count: string): Promise<string | null> =>
        (await data.request(path, { headers: { Prefer: `count=${count}` } })).headers.get('content-range');
      expect(await range('/many?limit=2', 'planned')).toBe('0-1/30');
      expect(await range('/many?limit=2', 'estimated')).toBe('0-1/30');
      expect(await range('/many?limit=2&id=lt.5', 'estimated')).toBe('0-1/4');
    });

    it('returns an estimated count to a role that can read all rows, and an exact count to other roles', async () => {
      const total = async (as: DatabaseRole): Promise<string | null> => {
        const options = { method: 'HEAD', as, headers: { Prefer: 'count=planned' } };
        return (await data.request('/guessed?select=id', options)).headers.get('content-range');
      };
      expect(await total('service_role')).toBe('0-19/30');
      expect(await total('authenticated')).toBe('0-19/30');
      // The estimate would disclose statistics of columns that the role cannot read.
      expect(await total('anon')).toBe('0-19/20');
    });

    it('returns the exact count of visible rows to other roles', { tags: ['REST-15'] }, async () => {
      await data.database.maintenance((tx) =>
        data.database.script(
          tx,
          `alter table public.many enable row level security;
           drop policy if exists few on public.many;
           create policy few on public.many for select to authenticated using (id <= 3);
           drop policy if exists all_rows on public.many;
           create policy all_rows on public.many to service_role using (true)`,
        ),
      );
      await data.rest.reload();
      for (const count of ['exact', 'planned', 'estimated']) {
        for (const method of ['GET', 'HEAD']) {
          const { headers } = await data.request('/many', {
            method,
            as: 'authenticated',
            headers: { Prefer: `count=${count}` },
          });
          expect(headers.get('content-range')).toBe('0-2/3');
        }
      }
    });
  });

  describe('headers', () => {
    it('describe a response', async () => {
      const { headers } = await data.request('/many?select=id&limit=1&id=gt.2', {
        headers: { Prefer: 'count=exact,return=minimal, foo' },
      });
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(headers.get('content-location')).toBe('/many?id=gt.2&limit=1&select=id');
      expect(headers.get('preference-applied')).toBe('count=exact');
      expect(headers.get('vary')).toBe('Accept, Prefer, Range, Origin');
    });

    it('contain Vary on errors as well', async () => {
      const { status, headers } = await data.request('/nothing-of-this-name');
      expect([status, headers.get('vary')]).toEqual([404, 'Accept, Prefer, Range, Origin']);
    });

    it('omit a Content-Location that is too long', async () => {
      const long = await data.request(`/many?id=in.(${'1,'.repeat(1000)}1)`);
      expect([long.status, long.headers.get('content-location')]).toEqual([200, null]);
    });

    it('are not visible to functions by default', { tags: ['REST-27'] }, async () => {
      const { body } = await data.request('/rpc/seen_settings', { headers: { 'X-Own': '1' } });
      expect((body as (string | null)[]).every((value) => !value)).toBe(true);
    });

    it('cannot set claims or a role', { tags: ['REST-27'] }, async () => {
      const response = await data.request('/many', {
        as: 'anon',
        headers: {
          'request.jwt.claims': '{"role":"service_role"}',
          role: 'service_role',
          'X-User-Id': randomUUID(),
        },
      });
      expect([response.status, errorCode(response.body)]).toEqual([404, 'PGRST205']);
    });
  });

  describe('hints', () => {
    it('contain only names that are visible to the client', { tags: ['REST-16'] }, async () => {
      const hint = async (path: string, as: 'anon' | 'service_role' | 'authenticated'): Promise<unknown> =>
        ((await data.request(path, { as })).body as { hint: unknown }).hint;
      expect(await hint('/book', 'service_role')).toBe("Perhaps you meant the table 'public.books'");
      expect(await hint('/book', 'anon')).toBeNull();
      expect(await hint('/manys', 'authenticated')).toBe("Perhaps you meant the table 'public.many'");
      expect(await hint('/books?select=titel', 'service_role')).toBeNull();
      expect(await hint('/books?select=titles', 'service_role')).toBe(
        'Perhaps you meant to reference the column "books.title".',
      );
      expect(await hint('/books?select=*,author(*)', 'service_role')).toBe(
        "Perhaps you meant 'authors' instead of 'author'.",
      );
    });

    it(
      'disclose no columns of a relation to a role without privileges on it',
      { tags: ['REST-16'] },
      async () => {
        for (const query of ['select=titles', 'titles=eq.1', 'order=titles', 'select=title']) {
          const { status, body } = await data.request(`/books?${query}`, { as: 'anon' });
          const message = "Could not find the table 'public.books' in the schema cache";
          expect([status, body]).toEqual([404, { code: 'PGRST205', message, details: null, hint: null }]);
        }
        const { body } = await data.request('/books', { as: 'anon', method: 'POST', body: { titles: 1 } });
        expect(errorCode(body)).toBe('PGRST205');
      },
    );
  });

  describe('sessions', () => {
    it.each<[string, string, number, string]>([
      [
        'banned',
        `update auth.users set banned_until = now() + interval '1 hour' where id = $1`,
        401,
        'PGRST303',
      ],
      [
        'without a password',
        `update auth.users set raw_app_meta_data = '{"setup_required": true}' where id = $1`,
        403,
        'password_not_set',
      ],
      [
        'without a verified second factor',
        `update auth.users set has_verified_factor = true where id = $1`,
        403,
        'insufficient_aal',
      ],
      ['deleted', `update auth.users set deleted_at = now() where id = $1`, 401, 'PGRST303'],
    ])('rejects a user %s immediately', async (_name, change, status, code) => {
      await data.database.query({ text: change, values: [data.userId] });
      try {
        expect(await readError('/many_parts?limit=1', { as: 'authenticated' })).toEqual([status, code]);
        expect(
          await readError('/many_parts', { as: 'authenticated', method: 'POST', body: { id: 99 } }),
        ).toEqual([status, code]);
      } finally {
        await data.database.query(
          sql`update auth.users set banned_until = null, raw_app_meta_data = '{}', has_verified_factor = false, deleted_at = null
              where id = ${data.userId}`,
        );
      }
      expect((await data.request('/many_parts?limit=1', { as: 'authenticated' })).status).toBe(200);
    });
  });
});

eachEngine('switches', (engine) => {
  let data: RestFixture;
  beforeAll(async () => {
    data = await openRestFixture(engine, script, {
      settings: { PLAN: true, REQUIRE_FILTER: false, STATEMENT_TIMEOUT: 300, REQUEST_SETTINGS: true },
    });
  });
  afterAll(async () => data.close());

  it('passes request settings to functions if REQUEST_SETTINGS is on', async () => {
    const { body } = await data.request('/rpc/seen_settings', {
      headers: { 'X-Own': 'ä"', Cookie: 'a=1; b=two%20words' },
    });
    const [method, path, headers, cookies] = body as string[];
    expect([method, path]).toEqual(['GET', '/rpc/seen_settings']);
    expect(JSON.parse(headers ?? '')).toMatchObject({ 'x-own': 'ä"' });
    expect(headers).not.toContain('two');
    expect(JSON.parse(cookies ?? '')).toEqual({ a: '1', b: 'two words' });
  });

  it('returns query plans if PLAN is on', async () => {
    const json = await data.request('/books', {
      headers: {
        Accept: 'application/vnd.pgrst.plan+json; for="application/json"; options=analyze|verbose;',
      },
    });
    expect([json.status, json.headers.get('content-type')]).toEqual([
      200,
      'application/vnd.pgrst.plan+json; for="application/json"; options=analyze|verbose; charset=utf-8',
    ]);
    expect(json.body).toMatchObject([
      { Plan: { 'Node Type': expect.any(String), 'Actual Rows': expect.any(Number) } },
    ]);
    const text = await data.request('/books', { headers: { Accept: 'application/vnd.pgrst.plan+text' } });
    expect(text.text).toContain('Aggregate');
  });

  it('counts rows by a bare count if AGGREGATES is off', async () => {
    const read = async (path: string): Promise<unknown> => (await data.request(path)).body;
    expect(await read('/books?select=count&id=lte.2')).toEqual([{ count: 2 }]);
    expect(await read('/authors?select=name,books(count)&name=eq.Ada')).toEqual([
      { name: 'Ada', books: [{ count: expect.any(Number) }] },
    ]);
  });

  it('rejects aggregates if AGGREGATES is off', { tags: ['REST-19'] }, async () => {
    for (const select of ['count()', 'id.sum()']) {
      const { status, body } = await data.request(`/books?select=${select}`);
      expect([status, (body as { code: string }).code]).toEqual([400, 'PGRST123']);
    }
  });

  it('changes whole tables if REQUIRE_FILTER is off', async () => {
    const { status } = await data.request('/biographies', { method: 'PATCH', body: { text: 'Short' } });
    expect(status).toBe(204);
    expect((await data.request('/biographies?select=text')).body).toEqual([{ text: 'Short' }]);
  });

  it('commits despite tx=rollback if TX_OVERRIDE is off', { tags: ['REST-14'] }, async () => {
    const response = await data.request('/tags', {
      method: 'POST',
      body: { label: 'kept' },
      headers: { Prefer: 'tx=rollback' },
    });
    expect([response.status, response.headers.get('preference-applied')]).toEqual([201, null]);
    expect((await data.request('/tags?label=eq.kept')).body).toEqual([{ label: 'kept' }]);
  });
});
