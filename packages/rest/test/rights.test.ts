/** Privileges are checked against the schema cache before the query and the body are parsed and before SQL runs. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { eachEngine } from '@lanternrock/testing/engines';
import {
  openRestFixture,
  type RestResponse,
  type RestCall,
  type RestFixture,
} from './support/rest-fixture.ts';

const script = `
  create type public.mood as enum ('hidden label');
  create table public.hidden (id integer primary key, secret_key text unique, mood public.mood);
  create table public.half (id integer primary key, word text, secret text, mood public.mood, hidden_id integer references public.hidden);
  create table public.parts (id integer primary key, half_id integer references public.half);
  create table public.links (half_id integer references public.half, part_id integer references public.parts, primary key (half_id, part_id));
  create table public.shared (id integer primary key);
  create table public.by_administrators (id integer);
  create function public.shout(h public.half) returns text language sql stable as 'select upper(h.word)';
  create function public.whisper(h public.half) returns text language sql stable as 'select lower(h.word)';
  create function public.halves() returns setof public.half language sql stable security definer as 'select * from public.half';
  create function public.first_hidden(h public.half) returns setof public.hidden rows 1 language sql stable security definer
    as 'select * from public.hidden';
  create function public.unknown_to_all() returns integer language sql stable as 'select 1';
  insert into public.hidden values (1, 'k', 'hidden label');
  insert into public.half values (1, 'w', 's', null, 1);
  revoke all on all tables in schema public from anon;
  grant select (id, word), insert (id, word), update (word) on public.half to authenticated;
  grant select on public.parts to authenticated;
  grant select on public.shared to public;
  revoke execute on all functions in schema public from public, anon, authenticated;
  grant execute on function public.shout(public.half), public.halves(), public.first_hidden(public.half) to authenticated;
  grant select on public.by_administrators to platform_administrator;
`;

eachEngine('privileges', (engine) => {
  let data: RestFixture;
  let statements = 0;
  beforeAll(async () => {
    data = await openRestFixture(engine, script, { onStatement: () => (statements += 1) });
  });
  beforeEach(() => (statements = 0));
  afterAll(async () => data.close());

  const statusAndCode = ({ status, body }: RestResponse): unknown[] => [
    status,
    (body as { code?: string }).code,
  ];
  const merge = { Prefer: 'resolution=merge-duplicates' };
  const represent = { Prefer: 'return=representation' };

  describe('without a privilege in the schema', () => {
    beforeAll(async () => {
      await data.database.maintenance((tx) =>
        data.database.script(tx, 'revoke select on public.shared from public'),
      );
      await data.rest.reload();
    });
    afterAll(async () => {
      await data.database.maintenance((tx) =>
        data.database.script(tx, 'grant select on public.shared to public'),
      );
      await data.rest.reload();
    });

    it.each<[string, RestCall]>([
      ['/half', {}],
      ['/nothing_of_this_name', {}],
      ['/half?select=nothing(*)&or=(', {}],
      ['/half?id=eq.x&mood=eq.x', {}],
      ['/hidden?on_conflict=secret_key', { method: 'POST', headers: merge, body: 'no json' }],
      ['/half', { method: 'OPTIONS' }],
      ['/rpc/halves', { method: 'POST', body: '{' }],
      ['/rpc/nothing_of_this_name', {}],
    ])('rejects every name equally: %s', async (path, call) => {
      const { status, body, headers } = await data.request(path, { as: 'anon', ...call });
      expect([status, body, statements]).toEqual([
        401,
        { code: '42501', message: 'permission denied for schema public', details: null, hint: null },
        0,
      ]);
      expect(headers.get('www-authenticate')).toBe('Bearer');
    });
  });

  it.each<[string, RestCall, number, string]>([
    ['/hidden', {}, 404, 'PGRST205'],
    ['/hidden', { method: 'OPTIONS' }, 404, 'PGRST205'],
    ['/hidden?mood=eq.x', { method: 'PATCH', body: 'no json' }, 404, 'PGRST205'],
    ['/hidden?on_conflict=secret_key', { method: 'POST', headers: merge, body: {} }, 404, 'PGRST205'],
    ['/rpc/unknown_to_all', {}, 404, 'PGRST202'],
    ['/rpc/unknown_to_all', { method: 'POST', body: '{' }, 404, 'PGRST202'],
    ['/parts', { method: 'POST', body: 'no json' }, 403, '42501'],
    ['/parts', { method: 'PUT', body: 'no json' }, 403, '42501'],
    ['/half?id=eq.1', { method: 'DELETE' }, 403, '42501'],
    ['/half', {}, 403, '42501'],
    ['/half?select=secret', {}, 400, '42703'],
    ['/half?select=id&secret=eq.x', {}, 400, '42703'],
    ['/half?select=id&mood=eq.x', {}, 400, '42703'],
    ['/half?select=id&order=secret', {}, 400, '42703'],
    ['/half?select=id,whisper', {}, 400, '42703'],
    ['/half?select=id,hidden(*)', {}, 400, 'PGRST200'],
    ['/half?select=id,parts(id,links(*))', {}, 400, 'PGRST200'],
    ['/half', { method: 'POST', body: { id: 2, secret: 'x' } }, 400, 'PGRST204'],
    ['/half?columns=id,mood', { method: 'POST', body: { id: 2 } }, 400, 'PGRST204'],
    ['/half?word=eq.w', { method: 'PATCH', body: { id: 2 } }, 403, '42501'],
    ['/half?on_conflict=secret', { method: 'POST', headers: merge, body: { id: 2 } }, 400, '42703'],
    ['/half', { method: 'POST', headers: merge, body: { id: 1, word: 'x' } }, 403, '42501'],
    ['/half', { method: 'POST', headers: represent, body: { id: 2 } }, 403, '42501'],
  ])('rejects before SQL and does not disclose hidden names: %s %j', async (path, call, status, code) => {
    const response = await data.request(path, { as: 'authenticated', ...call });
    expect([...statusAndCode(response), statements], response.text).toEqual([status, code, 0]);
    // Labels, columns, relations and the value of the hidden rows.
    expect(response.text.replaceAll('unknown_to_all', '')).not.toMatch(
      /label|secret_key|whisper"|links"|k\b"/,
    );
  });

  it.each<[string, RestCall, number]>([
    ['/half?select=id,word&word=eq.w&order=id', {}, 200],
    ['/half?select=id,parts(*)', {}, 200],
    ['/half?select=id&limit=1', { headers: { Prefer: 'count=exact' } }, 200],
    ['/half?select=id', { method: 'HEAD' }, 200],
    ['/half', { method: 'POST', body: { id: 3, word: 'x' } }, 201],
    ['/half?word=eq.x', { method: 'PATCH', body: { word: 'y' } }, 204],
    ['/rpc/halves?select=secret,mood&secret=eq.s', {}, 200],
    ['/rpc/halves?select=id,first_hidden(secret_key)', {}, 200],
    ['/shared', {}, 200],
    ['/shared', { as: 'anon' }, 200],
  ])('accepts what Postgres allows: %s %j', async (path, call, status) => {
    const response = await data.request(path, { as: 'authenticated', ...call });
    expect(response.status, response.text).toBe(status);
  });

  it('includes the privileges of the role that the settings statement can assume', async () => {
    // Its own database, because the user stays an administrator: the last one cannot be removed.
    const { database, userId, request, close } = await openRestFixture(engine, script);
    onTestFinished(close);
    expect((await request('/by_administrators', { as: 'anon' })).status).toBe(404);
    expect(statusAndCode(await request('/by_administrators', { as: 'authenticated' }))).toEqual([
      403,
      '42501',
    ]);
    await database.query({
      text: `insert into public.user_roles (user_id, role) values ($1, 'platform_admin')`,
      values: [userId],
    });
    expect((await request('/by_administrators', { as: 'authenticated' })).body).toEqual([]);
  });

  it('applies a grant after a reload', async () => {
    const grant = (text: string): Promise<unknown> =>
      data.database.maintenance((tx) => data.database.script(tx, text));
    await grant('grant select on public.hidden to anon');
    await data.rest.reload();
    expect((await data.request('/hidden', { as: 'anon' })).status).toBe(200);
    await grant('revoke select on public.hidden from anon');
    expect(statusAndCode(await data.request('/hidden', { as: 'anon' }))).toEqual([401, '42501']);
    await data.rest.reload();
    expect(statusAndCode(await data.request('/hidden', { as: 'anon' }))).toEqual([404, 'PGRST205']);
  });
});
