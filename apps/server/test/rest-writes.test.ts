import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  openRestFixture,
  type RestResponse,
  type RestCall,
  type RestFixture,
} from './support/rest-fixture.ts';
import { eachEngine } from './support/engines.ts';
import { dumpRows, expectRejected, resetRows, writeSchemaScript } from './support/write-schema.ts';

const represent = { Prefer: 'return=representation' };
const object = { Accept: 'application/vnd.pgrst.object+json' };

/** Keys that are dear to compare: Postgres tries everything else on a row before them. */
const costlyKeysScript = `
  create type public.costly as (n integer);
  create function public.costly_equals(a public.costly, b public.costly) returns boolean
    language plpgsql immutable cost 100000 as 'begin return a.n = b.n; end';
  create operator public.= (leftarg = public.costly, rightarg = public.costly, function = public.costly_equals);
  create table public.costly_keys (key public.costly primary key, name text);
  insert into public.costly_keys values (row(1), 'one');
  grant execute on function public.costly_equals to service_role;
  grant select, insert, update on public.costly_keys to service_role;
`;

eachEngine('changes', (engine) => {
  let data: RestFixture;
  beforeAll(async () => {
    data = await openRestFixture(engine, `${writeSchemaScript}${costlyKeysScript}`, { TX_OVERRIDE: 'on' });
  });
  afterAll(async () => data.close());
  beforeEach(async () => resetRows(data));

  const send =
    (method: string) =>
    (path: string, body?: unknown, headers: Record<string, string> = {}, as?: RestCall['as']) =>
      data.ask(path, { method, body, headers, ...(as ? { as } : {}) });
  const post = send('POST');
  const patch = send('PATCH');
  const put = send('PUT');
  const remove = (
    path: string,
    headers: Record<string, string> = {},
    as?: RestCall['as'],
  ): Promise<RestResponse> =>
    // The client sends a type even where there is no body.
    data.ask(path, {
      method: 'DELETE',
      headers: { 'Content-Type': 'application/json', ...headers },
      ...(as ? { as } : {}),
    });
  const refused = (send: () => Promise<RestResponse>): Promise<unknown[]> => expectRejected(data, send);

  describe('PATCH', () => {
    it('C266 changes the rows that match', async () => {
      const quiet = await patch('/things?id=eq.1', { name: 'uno' });
      expect([quiet.status, quiet.text, quiet.headers.get('content-range')]).toEqual([204, '', '0-0/*']);
      const loud = await patch(
        '/things?id=in.(1,2)&select=id,name&order=id.desc',
        { name: 'x' },
        { Prefer: 'return=representation,count=exact' },
      );
      expect([loud.status, loud.body, loud.headers.get('content-range')]).toEqual([
        200,
        [
          { id: 2, name: 'x' },
          { id: 1, name: 'x' },
        ],
        '0-1/2',
      ]);
    });

    it('touches nothing where nothing matches', async () => {
      const quiet = await patch('/things?id=eq.99', { name: 'x' });
      expect([quiet.status, quiet.headers.get('content-range')]).toEqual([204, '*/*']);
      expect((await patch('/things?id=eq.99', { name: 'x' }, represent)).body).toEqual([]);
      expect(
        await refused(() => patch('/things?id=eq.99', { name: 'x' }, { ...represent, ...object })),
      ).toEqual([406, 'PGRST116']);
      expect((await patch('/things?id=eq.1', {}, represent)).body).toEqual([]);
      expect((await patch('/things?id=eq.1', {})).status).toBe(204);
    });

    it('chooses rows by logic, JSON and embeds', async () => {
      const { body } = await patch(
        '/things?or=(id.eq.1,name.eq.two)&select=id&order=id',
        { kind: 'k' },
        represent,
      );
      expect(body).toEqual([{ id: 1 }, { id: 2 }]);
      const embedded = await patch(
        '/things?id=eq.1&select=id,parts(label)&parts.order=label.desc',
        { kind: 'k' },
        represent,
      );
      expect(embedded.body).toEqual([{ id: 1, parts: [{ label: 'y' }, { label: 'x' }] }]);
      const matched = await patch('/things?select=id,parts()&parts=not.is.null', { kind: 'k' }, represent);
      expect(matched.body).toEqual([{ id: 1 }]);
      const renamed = await patch(
        '/things?id=eq.1&select=_t:kind',
        { kind: null },
        { ...represent, ...object },
      );
      expect(renamed.body).toEqual({ _t: null });
    });

    it.each(['limit=1', 'offset=1', 'limit=all', 'limit=1&offset=0'])('rejects %s', async (window) => {
      for (const method of ['PATCH', 'DELETE']) {
        const send = (): Promise<RestResponse> =>
          data.ask(`/things?id=lt.3&${window}`, { method, body: { kind: 'k' }, headers: represent });
        expect(await refused(send)).toEqual([400, 'PGRST114']);
        expect((await send()).body).toMatchObject({
          message: `limit and offset are not allowed for ${method}`,
        });
      }
    });

    it('takes the first row of an array', async () => {
      expect(
        (await patch('/things?id=lt.3&select=id&order=id', [{ kind: 'k' }, { kind: 'l' }], represent)).body,
      ).toEqual([{ id: 1 }, { id: 2 }]);
      expect((await data.ask('/things?id=eq.1&select=kind')).body).toEqual([{ kind: 'k' }]);
    });

    it('REST-13 refuses a change of the whole table', async () => {
      const { status, body } = await patch('/things', { name: 'x' });
      expect([status, body]).toEqual([
        400,
        { code: '21000', message: 'UPDATE requires a WHERE clause', details: null, hint: null },
      ]);
      expect(await refused(() => patch('/things', { name: 'x' }))).toEqual([400, '21000']);
      expect(await refused(() => patch('/things?order=id', { name: 'x' }))).toEqual([400, '21000']);
      expect(await refused(() => patch('/own', { owner: 'x' }, {}, 'anon'))).toEqual([401, '42501']);
    });

    it('undoes what touches too many rows', async () => {
      const strict = { Prefer: 'handling=strict,max-affected=1' };
      expect(await refused(() => patch('/things?id=lt.3', { name: 'x' }, strict))).toEqual([400, 'PGRST124']);
      const { body } = await patch('/things?id=lt.3', { name: 'x' }, strict);
      expect((body as { details: string }).details).toBe('The query affects 2 rows');
      const one = await patch('/things?id=eq.1', { name: 'x' }, strict);
      expect([one.status, one.headers.get('preference-applied')]).toEqual([
        204,
        'handling=strict, max-affected=1',
      ]);
      expect((await patch('/things?id=lt.3', { name: 'x' }, { Prefer: 'max-affected=1' })).status).toBe(204);
    });

    it.each<[string, string, unknown, number, string]>([
      ['an unknown column', '/things?id=eq.1', { nothing: 1 }, 400, 'PGRST204'],
      ['an unknown filter', '/things?nothing=eq.1', { name: 'x' }, 400, '42703'],
      ['a failed check', '/things?id=eq.1', { name: '' }, 400, '23514'],
      ['text that is no JSON', '/things?id=eq.1', '{', 400, 'PGRST102'],
    ])('refuses %s', async (_name, path, body, status, code) => {
      expect(await refused(() => patch(path, body))).toEqual([status, code]);
    });
  });

  describe('PUT', () => {
    it('inserts the row that the address names, or replaces it', async () => {
      const inserted = await put('/things?id=eq.4&select=id,n:name', { id: 4, name: 'four' }, represent);
      expect([inserted.status, inserted.body]).toEqual([201, [{ id: 4, n: 'four' }]]);
      expect(inserted.headers.get('content-range')).toBeNull();
      expect(inserted.headers.get('preference-applied')).toBe('return=representation');
      const replaced = await put(
        '/things?id=eq.4&select=id,name,kind,parts(label)',
        [{ id: 4, name: 'vier', kind: 'k' }],
        { ...represent, ...object },
      );
      expect([replaced.status, replaced.body]).toEqual([200, { id: 4, name: 'vier', kind: 'k', parts: [] }]);
      const quiet = [
        await put('/things?id=eq.4', { id: 4, name: 'quatre' }),
        await put('/things?id=eq.5', { id: 5, name: 'five' }, { Prefer: 'return=minimal' }),
        await put('/thing_names?id=eq.6', { id: 6, name: 'six' }),
      ];
      expect(quiet.map(({ status, text }) => [status, text])).toEqual(quiet.map(() => [204, '']));
      expect((await data.ask('/things?id=gt.3&select=name,kind&order=id')).body).toEqual([
        { name: 'quatre', kind: 'k' },
        { name: 'five', kind: 'plain' },
        { name: 'six', kind: 'plain' },
      ]);
    });

    it('counts no row but the one that the address names, whichever condition is tried first', async () => {
      const rows = [1, 2].map((n) => ({ key: { n }, name: 'x' }));
      const replaced = await put('/costly_keys?key=eq.(1)', rows, represent);
      expect([replaced.status, replaced.body]).toEqual([200, [{ key: { n: 1 }, name: 'x' }]]);
    });

    it.each<[string, string, unknown, number, string]>([
      ['another key in the body', '/things?id=eq.1', { id: 2, name: 'x' }, 400, 'PGRST115'],
      ['no key in the body', '/things?id=eq.1', { name: 'x' }, 400, 'PGRST115'],
      ['no row in the body', '/things?id=eq.1', [], 400, 'PGRST115'],
      ['two keys in the address', '/things?id=eq.1&id=eq.2', { id: 1, name: 'x' }, 400, 'PGRST115'],
      ['no key in the address', '/things', { id: 1, name: 'x' }, 405, 'PGRST105'],
      ['more than the key', '/things?id=eq.1&name=eq.one', { id: 1, name: 'x' }, 405, 'PGRST105'],
      ['another column', '/things?name=eq.one', { id: 1, name: 'x' }, 405, 'PGRST105'],
      ['another operator', '/things?id=gte.1', { id: 1, name: 'x' }, 405, 'PGRST105'],
      ['a list', '/things?id=eq(any).{1,2}', { id: 1, name: 'x' }, 405, 'PGRST105'],
      ['a negation', '/things?id=not.eq.2', { id: 1, name: 'x' }, 405, 'PGRST105'],
      ['logic', '/things?or=(id.eq.1)', { id: 1, name: 'x' }, 405, 'PGRST105'],
      ['a way into the key', '/things?id->>x=eq.1', { id: 1, name: 'x' }, 405, 'PGRST105'],
      ['a table without a key', '/notes?body=eq.x', { body: 'x' }, 405, 'PGRST105'],
      ['a limit', '/things?id=eq.1&limit=1', { id: 1, name: 'x' }, 400, 'PGRST114'],
      ['an offset', '/things?id=eq.1&offset=1', { id: 1, name: 'x' }, 400, 'PGRST114'],
      ['an unknown column', '/things?id=eq.1', { id: 1, nothing: 1 }, 400, 'PGRST204'],
      ['a failed check', '/things?id=eq.1', { id: 1, name: '' }, 400, '23514'],
      ['another unique key', '/things?id=eq.1', { id: 1, name: 'x', code: 'b' }, 409, '23505'],
      ['a key that is no number', '/things?id=eq.x', { id: 1, name: 'x' }, 400, '22P02'],
      ['a function', '/rpc/shout?id=eq.1', { id: 1 }, 405, 'PGRST101'],
    ])('refuses %s', async (_name, path, body, status, code) => {
      expect(await refused(() => put(path, body))).toEqual([status, code]);
    });

    it('REST-10 writes no row that the caller may not', async () => {
      const own = { id: 2, owner: 'me' };
      expect(await refused(() => put('/own?id=eq.2', own, {}, 'authenticated'))).toEqual([403, '42501']);
      expect(await refused(() => put('/own?id=eq.1', { id: 1, owner: 'you' }, {}, 'authenticated'))).toEqual([
        403,
        '42501',
      ]);
      expect(await refused(() => put('/things?id=eq.1', { id: 1, name: 'x' }, {}, 'authenticated'))).toEqual([
        403,
        '42501',
      ]);
      for (const column of ['id', 'name', 'nothing']) {
        expect(await refused(() => put(`/things?${column}=eq.1`, { id: 1 }, {}, 'anon'))).toEqual([
          401,
          '42501',
        ]);
      }
      expect((await put('/own?id=eq.1', { id: 1, owner: 'me' }, represent, 'authenticated')).status).toBe(
        200,
      );
    });
  });

  describe('DELETE', () => {
    it('C267 deletes the rows that match', async () => {
      const quiet = await remove('/things?id=eq.3');
      expect([quiet.status, quiet.text, quiet.headers.get('content-range')]).toEqual([204, '', '*/*']);
      const loud = await remove('/parts?thing_id=eq.1&select=label&order=label', {
        Prefer: 'return=representation,count=exact',
      });
      expect([loud.status, loud.body, loud.headers.get('content-range')]).toEqual([
        200,
        [{ label: 'x' }, { label: 'y' }],
        '*/2',
      ]);
      expect((await remove('/parts?id=eq.99', represent)).body).toEqual([]);
    });

    it('refuses what it must not do', async () => {
      expect(await refused(() => remove('/things'))).toEqual([400, '21000']);
      expect(await refused(() => remove('/things?id=eq.1'))).toEqual([409, '23503']);
      expect(await refused(() => remove('/parts?id=lt.9', { ...represent, ...object }))).toEqual([
        406,
        'PGRST116',
      ]);
      expect(
        await refused(() => remove('/parts?id=lt.9', { Prefer: 'handling=strict,max-affected=1' })),
      ).toEqual([400, 'PGRST124']);
      expect(await refused(() => remove('/things?id=eq.1', {}, 'authenticated'))).toEqual([403, '42501']);
      expect(await refused(() => remove('/things?id=eq.1', {}, 'anon'))).toEqual([401, '42501']);
    });
  });

  describe('row level security', () => {
    it('does not see hidden rows, and says so only by silence', async () => {
      expect((await patch('/own?id=eq.2', { owner: 'me' }, {}, 'authenticated')).status).toBe(204);
      expect((await remove('/own?id=eq.2', represent, 'authenticated')).body).toEqual([]);
      expect(await refused(() => patch('/own?id=eq.1', { owner: 'you' }, {}, 'authenticated'))).toEqual([
        403,
        '42501',
      ]);
      expect(await refused(() => post('/own', { id: 3, owner: 'you' }, {}, 'authenticated'))).toEqual([
        403,
        '42501',
      ]);
      expect((await post('/own', { id: 3, owner: 'me' }, represent, 'authenticated')).body).toEqual([
        { id: 3, owner: 'me' },
      ]);
    });
  });

  describe('transactions', () => {
    it('answers as if it had happened, and keeps nothing', async () => {
      const before = await dumpRows(data);
      const answer = await post(
        '/things?select=id',
        { id: 4, name: 'four' },
        { Prefer: 'return=representation,tx=rollback' },
      );
      expect([answer.status, answer.body, answer.headers.get('preference-applied')]).toEqual([
        201,
        [{ id: 4 }],
        'return=representation, tx=rollback',
      ]);
      expect(await dumpRows(data)).toBe(before);
    });

    it('takes a time zone, and refuses one that does not exist', async () => {
      const answer = await post(
        '/things?select=made_at',
        { id: 4, name: 'n' },
        { Prefer: 'return=representation,timezone=America/New_York' },
      );
      expect(answer.body).toEqual([{ made_at: '2025-12-31T19:00:00-05:00' }]);
      expect(
        await refused(() => post('/things', { id: 5, name: 'n' }, { Prefer: 'timezone=Nowhere' })),
      ).toEqual([400, '22023']);
    });

    it('REST-14 refuses unknown preferences only under strict handling', async () => {
      const { status, body } = await post(
        '/things',
        { id: 4, name: 'n' },
        { Prefer: 'handling=strict,foo,bar=1' },
      );
      expect([status, body]).toEqual([
        400,
        {
          code: 'PGRST122',
          message: 'Invalid preferences given with handling=strict',
          details: 'Invalid preferences: foo, bar=1',
          hint: null,
        },
      ]);
      expect((await post('/things', { id: 4, name: 'n' }, { Prefer: 'foo, bar=1' })).status).toBe(201);
    });
  });
});
