/** The OpenAPI document, reloads of the schema cache, and the lifetime of plans. */
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { defaultRestSettings } from '@lanternrock/rest/settings';
import type { DatabaseRole } from '@lanternrock/rest/types';
import { SchemaCacheManager } from '../src/schema/schema-cache-manager.ts';
import { openRestFixture, type RestCall, type RestFixture } from './support/rest-fixture.ts';
import { eachEngine } from '@lanternrock/testing/engines';

const script = `
  create table public.unseen (id integer primary key);
  create table public.half (hidden_key integer primary key, seen text);
  create table public.shown (
    id integer primary key, word text not null, hidden text, unseen_id integer references public.unseen,
    half_id integer references public.half
  );
  create table public."odd/ na~me" ("é" integer);
  grant select on public."odd/ na~me" to service_role;
  create function public.greet(who text) returns text language sql volatile as 'select who';
  create function public.secret() returns text language sql stable as $$select 'x'$$;
  create function public.untyped(integer) returns integer language sql stable as 'select $1';
  revoke execute on function public.greet(text), public.secret(), public.untyped(integer) from public, anon, authenticated;
  grant execute on function public.greet(text) to authenticated;
  grant execute on function public.greet(text), public.secret(), public.untyped(integer) to service_role;
  grant all on public.unseen, public.shown, public.half to service_role;
  grant select (seen) on public.half to authenticated;
  grant select (id, word, unseen_id, half_id), insert (word) on public.shown to authenticated;
`;

interface OpenApiDocument {
  readonly swagger: string;
  readonly host: string;
  readonly basePath: string;
  readonly paths: Record<string, object>;
  readonly definitions: Record<string, { properties: Record<string, object>; required?: string[] }>;
}

eachEngine('the schema cache', (engine) => {
  let data: RestFixture;
  let executed: string[] = [];
  beforeAll(async () => {
    data = await openRestFixture(engine, script, { onStatement: ({ text }) => executed.push(text) });
  });
  afterAll(async () => data.close());

  const openApiDocument = async (as: DatabaseRole): Promise<{ text: string; document: OpenApiDocument }> => {
    const { status, text, body, headers } = await data.request('/', {
      as,
      headers: { Accept: 'application/openapi+json' },
    });
    expect([status, headers.get('content-type')], text).toEqual([
      200,
      'application/openapi+json; charset=utf-8',
    ]);
    return { text, document: body as OpenApiDocument };
  };

  describe('the OpenAPI document', () => {
    it('contains only objects that the client can use', { tags: ['REST-19'] }, async () => {
      const { text, document } = await openApiDocument('authenticated');
      expect(Object.keys(document.paths['/shown'] ?? {})).toEqual(['get', 'post']);
      expect(document.definitions['shown']).toEqual({
        type: 'object',
        required: ['id', 'word'],
        properties: {
          id: { description: 'Note:\nThis is a Primary Key.<pk/>', format: 'integer', type: 'integer' },
          word: { format: 'text', type: 'string' },
          unseen_id: { format: 'integer', type: 'integer' },
          // The referenced column is hidden from the client.
          half_id: { format: 'integer', type: 'integer' },
        },
      });
      expect(Object.keys(document.paths['/rpc/greet'] ?? {})).toEqual(['post']);
      for (const hidden of ['hidden', 'unseen.', '/unseen', 'secret']) expect(text).not.toContain(hidden);
      const anonymous = await openApiDocument('anon');
      expect(anonymous.document.definitions).toEqual({});
      expect(Object.keys(anonymous.document.paths)).toEqual(['/']);
    });

    it('contains all objects for the service role', async () => {
      const { text, document } = await openApiDocument('service_role');
      expect([document.swagger, document.host, document.basePath]).toEqual([
        '2.0',
        'console.example.org',
        '/rest/v1/',
      ]);
      expect(Object.keys(document.paths['/shown'] ?? {})).toEqual(['get', 'post', 'patch', 'delete']);
      expect(document.definitions['shown']?.properties['unseen_id']).toEqual({
        description: "Note:\nThis is a Foreign Key to `unseen.id`.<fk table='unseen' column='id'/>",
        format: 'integer',
        type: 'integer',
      });
      expect(Object.keys(document.paths)).toEqual(expect.arrayContaining(['/accounts', '/rpc/secret']));
      expect(text).not.toContain('/rpc/untyped');
    });

    it('contains no dangling references', async () => {
      const { text, document } = await openApiDocument('service_role');
      const references = [...text.matchAll(/"\$ref":"#([^"]*)"/g)].map(([, pointer = '']) =>
        decodeURIComponent(pointer),
      );
      expect(references).toContain('/parameters/rowFilter.odd~1 na~0me.é');
      for (const pointer of references) {
        const [, place = '', token = ''] = pointer.split('/');
        const part = (document as unknown as Record<string, Record<string, unknown>>)[place];
        expect(part, pointer).toHaveProperty([token.replaceAll('~1', '/').replaceAll('~0', '~')]);
      }
    });

    it('reflects grants and comments after a reload', async () => {
      const change = async (statement: string): Promise<void> => {
        await data.database.maintenance((tx) => data.database.script(tx, statement));
        await data.rest.reload();
      };
      await change('grant select (hidden) on public.shown to authenticated');
      expect((await openApiDocument('authenticated')).text).toContain('hidden');
      await change('revoke select (hidden) on public.shown from authenticated');
      expect((await openApiDocument('authenticated')).text).not.toContain('hidden');
      await change(`comment on column public.shown.word is 'A new comment'`);
      expect((await openApiDocument('authenticated')).text).toContain('A new comment');
      await change('comment on column public.shown.word is null');
    });

    it('reads the catalog once for each role', async () => {
      await data.rest.reload();
      const first = await Promise.all([openApiDocument('anon'), openApiDocument('authenticated')]);
      executed = [];
      const again = await Promise.all([openApiDocument('anon'), openApiDocument('authenticated')]);
      expect(again).toEqual(first);
      // The session of a user is still checked, and its role is still determined.
      expect(executed.filter((text) => text.includes('pg_class'))).toEqual([]);
      executed = [];
      await openApiDocument('anon');
      await data.request('/', { as: 'anon', method: 'HEAD' });
      expect(executed).toEqual([]);
    });

    it('supports HEAD and OPTIONS, and rejects other methods and formats', async () => {
      const head = await data.request('/', { method: 'HEAD' });
      expect([head.status, head.text]).toEqual([200, '']);
      expect((await data.request('/', { method: 'OPTIONS' })).headers.get('allow')).toBe('OPTIONS,GET,HEAD');
      expect((await data.request('', { headers: { Accept: 'image/png, */*;q=0.1' } })).status).toBe(200);
      const code = async (call: RestCall): Promise<unknown[]> => {
        const { status, body } = await data.request('/', call);
        return [status, (body as { code: string }).code];
      };
      expect(await code({ headers: { Accept: 'text/csv' } })).toEqual([406, 'PGRST107']);
      expect(await code({ headers: { 'Accept-Profile': 'private' } })).toEqual([406, 'PGRST106']);
      expect(await code({ method: 'POST', body: {} })).toEqual([405, 'PGRST117']);
      await data.database.query(sql`update auth.users set deleted_at = now() where id = ${data.userId}`);
      expect(await code({ as: 'authenticated' })).toEqual([401, 'PGRST303']);
      await data.database.query(sql`update auth.users set deleted_at = null where id = ${data.userId}`);
    });
  });

  it('contains a new table after a reload', async () => {
    await data.database.maintenance((tx) =>
      data.database.script(
        tx,
        'create table public.late (id integer); grant select on public.late to service_role',
      ),
    );
    await data.rest.reload();
    expect((await data.request('/late')).body).toEqual([]);
  });

  it('is reloaded for unknown names of signed-in clients only', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
    const batch = vi.spyOn(data.database, 'batch');
    onTestFinished(() => {
      batch.mockRestore();
      vi.useRealTimers();
    });
    for (const path of ['/nothing', '/shown', '/rpc/nothing']) await data.request(path, { as: 'anon' });
    expect(batch).not.toHaveBeenCalled();
    await data.request('/nothing', { as: 'authenticated' });
    expect(batch).toHaveBeenCalledOnce();
  });

  it('keeps the plans if the catalog is unchanged', async () => {
    const schemaCache = new SchemaCacheManager({
      database: data.database,
      settings: defaultRestSettings,
      elevatedRoles: [],
      log: pino({ level: 'silent' }),
      now: () => new Date(),
    });
    let reloads = 0;
    schemaCache.onReload(() => (reloads += 1));
    await schemaCache.reload();
    const loaded = await schemaCache.get();
    await schemaCache.reload();
    expect([reloads, (await schemaCache.get()) === loaded]).toEqual([1, true]);
    await data.database.maintenance((tx) =>
      data.database.script(
        tx,
        'revoke select on public.late from service_role; grant select on public.late to service_role; create table public.later (id integer)',
      ),
    );
    await schemaCache.reload();
    expect([reloads, (await schemaCache.get()) === loaded]).toEqual([2, false]);
  });

  it('reloads again after a notification during a load', async () => {
    let notify: (payload: string) => void = () => {};
    let loads = 0;
    let finish: (() => void) | undefined;
    const schemaCache = new SchemaCacheManager({
      database: {
        ...data.database,
        listen: (_channel, listener) => (notify = listener),
        batch: async (statements, options) => {
          loads += 1;
          const read = await data.database.batch(statements, options);
          if (loads === 2) await new Promise<void>((resolve) => (finish = resolve));
          return read;
        },
      },
      settings: defaultRestSettings,
      elevatedRoles: [],
      log: pino({ level: 'silent' }),
      now: () => new Date(),
    });
    await schemaCache.start();
    const reading = schemaCache.reload();
    await vi.waitFor(() => expect(finish).toBeDefined(), 10_000);
    await data.database.maintenance((tx) =>
      data.database.script(tx, 'create table public.added (id integer)'),
    );
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    notify('reload schema');
    vi.runAllTimers();
    vi.useRealTimers();
    finish?.();
    await reading;
    await vi.waitFor(() => expect(schemaCache.current?.relation('public', 'added')).toBeDefined(), 10_000);
  });

  it('reloads within a minute behind a pooler without notifications', async () => {
    const { listen: _none, ...database } = data.database;
    const schemaCache = new SchemaCacheManager({
      database: { ...database, pooling: 'transaction' },
      settings: defaultRestSettings,
      elevatedRoles: [],
      log: pino({ level: 'silent' }),
      now: () => new Date(),
    });
    vi.useFakeTimers({ toFake: ['setInterval', 'setTimeout'] });
    try {
      await schemaCache.start();
      await data.database.maintenance((tx) =>
        data.database.script(tx, 'create table public.polled (id integer)'),
      );
      vi.advanceTimersByTime(61_000);
    } finally {
      vi.useRealTimers();
    }
    await vi.waitFor(() => expect(schemaCache.current?.relation('public', 'polled')).toBeDefined(), 10_000);
  });

  it('is always loaded with custom plans', async () => {
    for (let n = 0; n < 7; n += 1) await data.rest.reload();
    const [plans] = await data.database.query<{ generic: string; custom: string }>(
      sql`select sum(generic_plans) as generic, sum(custom_plans) as custom
            from pg_prepared_statements where statement like '%pg_catalog%$1%'`,
    );
    expect(plans?.generic).toBe('0');
    expect(Number(plans?.custom)).toBeGreaterThan(6);
  });

  it('responds correctly after a table of a cached plan changes', async () => {
    expect((await data.request('/late')).status).toBe(200);
    await data.database.maintenance((tx) =>
      data.database.script(tx, 'alter table public.late add column word text'),
    );
    await data.database.query(sql`insert into public.late values (1, 'w')`);
    expect((await data.request('/late')).body).toEqual([{ id: 1, word: 'w' }]);
  });

  it('does not use the previous type of a column for a value', async () => {
    const change = (statement: string): Promise<unknown> =>
      data.database.maintenance((tx) => data.database.script(tx, statement));
    await change(`create table public.dated (id integer, at date, code integer);
      insert into public.dated values (1, '2026-01-01', 7); grant select on public.dated to service_role`);
    await data.rest.reload();
    const found = async (filter: string): Promise<unknown> =>
      (await data.request(`/dated?select=id&${filter}`)).body;
    // Fast reads use the shared connection, so both kinds of connections have prepared both statements.
    for (let n = 0; n < 3; n += 1) {
      expect(await found('at=eq.2026-01-01')).toEqual([{ id: 1 }]);
      expect(await found('code=eq.7')).toEqual([{ id: 1 }]);
    }
    await change(`alter table public.dated alter at type timestamp, alter code type text;
      update public.dated set at = '2026-01-01 10:00'`);
    await data.rest.reload();
    expect(await found('at=eq.2026-01-01T10:00:00')).toEqual([{ id: 1 }]);
    expect(await found('code=eq.7')).toEqual([{ id: 1 }]);
  });
});
