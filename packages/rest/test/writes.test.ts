import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  openRestFixture,
  type RestCall,
  type RestResponse,
  type RestFixture,
} from './support/rest-fixture.ts';
import { eachEngine } from '@lanternrock/testing/engines';
import {
  createSender,
  dumpRows,
  expectRejected,
  resetRows,
  type Send,
  writeSchemaScript,
} from './support/write-schema.ts';

const represent = { Prefer: 'return=representation' };
const object = { Accept: 'application/vnd.pgrst.object+json' };

/** Keys that are expensive to compare, so Postgres evaluates all other conditions on a row first. */
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

eachEngine('writes', (engine) => {
  let data: RestFixture;
  let post: Send;
  let patch: Send;
  let put: Send;
  let sendDelete: Send;
  beforeAll(async () => {
    data = await openRestFixture(engine, `${writeSchemaScript}${costlyKeysScript}`, {
      settings: { TX_OVERRIDE: true },
    });
    post = createSender(data, 'POST');
    patch = createSender(data, 'PATCH');
    put = createSender(data, 'PUT');
    sendDelete = createSender(data, 'DELETE');
  });
  afterAll(async () => data.close());
  beforeEach(async () => resetRows(data));

  const remove = (
    path: string,
    headers: Record<string, string> = {},
    as?: RestCall['as'],
  ): Promise<RestResponse> =>
    // postgrest-js sends a content type even without a body.
    sendDelete(path, undefined, { 'Content-Type': 'application/json', ...headers }, as);
  const readError = (send: () => Promise<RestResponse>): Promise<unknown[]> => expectRejected(data, send);

  describe('PATCH', () => {
    it('updates the matching rows', { tags: ['C266'] }, async () => {
      const minimal = await patch('/things?id=eq.1', { name: 'uno' });
      expect([minimal.status, minimal.text, minimal.headers.get('content-range')]).toEqual([
        204,
        '',
        '0-0/*',
      ]);
      const represented = await patch(
        '/things?id=in.(1,2)&select=id,name&order=id.desc',
        { name: 'x' },
        { Prefer: 'return=representation,count=exact' },
      );
      expect([represented.status, represented.body, represented.headers.get('content-range')]).toEqual([
        200,
        [
          { id: 2, name: 'x' },
          { id: 1, name: 'x' },
        ],
        '0-1/2',
      ]);
    });

    it('changes nothing without matching rows', async () => {
      const minimal = await patch('/things?id=eq.99', { name: 'x' });
      expect([minimal.status, minimal.headers.get('content-range')]).toEqual([204, '*/*']);
      expect((await patch('/things?id=eq.99', { name: 'x' }, represent)).body).toEqual([]);
      expect(
        await readError(() => patch('/things?id=eq.99', { name: 'x' }, { ...represent, ...object })),
      ).toEqual([406, 'PGRST116']);
      expect((await patch('/things?id=eq.1', {}, represent)).body).toEqual([]);
      expect((await patch('/things?id=eq.1', {})).status).toBe(204);
    });

    it('selects rows by logic and embeds, and orders, limits and renames what it returns', async () => {
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
      const limited = await patch(
        '/things?id=eq.1&select=parts(label)&parts.order=label.desc&parts.limit=1',
        { kind: 'k' },
        represent,
      );
      expect(limited.body).toEqual([{ parts: [{ label: 'y' }] }]);
      const matched = await patch('/things?select=id,parts()&parts=not.is.null', { kind: 'k' }, represent);
      expect(matched.body).toEqual([{ id: 1 }]);
      const renamed = await patch(
        '/things?id=eq.1&select=_t:kind',
        { kind: null },
        { ...represent, ...object },
      );
      expect(renamed.body).toEqual({ _t: null });
    });

    it('uses the first row of an array', async () => {
      expect(
        (await patch('/things?id=lt.3&select=id&order=id', [{ kind: 'k' }, { kind: 'l' }], represent)).body,
      ).toEqual([{ id: 1 }, { id: 2 }]);
      expect((await data.request('/things?id=eq.1&select=kind')).body).toEqual([{ kind: 'k' }]);
    });

    it('rejects an update of the whole table', { tags: ['REST-13'] }, async () => {
      const { status, body } = await patch('/things', { name: 'x' });
      expect([status, body]).toEqual([
        400,
        { code: '21000', message: 'UPDATE requires a WHERE clause', details: null, hint: null },
      ]);
      expect(await readError(() => patch('/things', { name: 'x' }))).toEqual([400, '21000']);
      expect(await readError(() => patch('/things?order=id', { name: 'x' }))).toEqual([400, '21000']);
    });

    it('checks the privilege before the WHERE clause', async () => {
      expect(await readError(() => patch('/own', { owner: 'x' }, {}, 'anon'))).toEqual([401, '42501']);
    });

    it('rolls back a write that affects too many rows', async () => {
      const strict = { Prefer: 'handling=strict,max-affected=1' };
      expect(await readError(() => patch('/things?id=lt.3', { name: 'x' }, strict))).toEqual([
        400,
        'PGRST124',
      ]);
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
      ['invalid JSON', '/things?id=eq.1', '{', 400, 'PGRST102'],
    ])('rejects %s', async (_name, path, body, status, code) => {
      expect(await readError(() => patch(path, body))).toEqual([status, code]);
    });
  });

  describe('PUT', () => {
    it('inserts or replaces the row that the URL identifies', async () => {
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
      const minimal = [
        await put('/things?id=eq.4', { id: 4, name: 'quatre' }),
        await put('/things?id=eq.5', { id: 5, name: 'five' }, { Prefer: 'return=minimal' }),
        await put('/thing_names?id=eq.6', { id: 6, name: 'six' }),
      ];
      expect(minimal.map(({ status, text }) => [status, text])).toEqual(minimal.map(() => [204, '']));
      expect((await data.request('/things?id=gt.3&select=name,kind&order=id')).body).toEqual([
        { name: 'quatre', kind: 'k' },
        { name: 'five', kind: 'plain' },
        { name: 'six', kind: 'plain' },
      ]);
    });

    it('counts only the row that the URL identifies, regardless of the evaluation order', async () => {
      const rows = [1, 2].map((n) => ({ key: { n }, name: 'x' }));
      const replaced = await put('/costly_keys?key=eq.(1)', rows, represent);
      expect([replaced.status, replaced.body]).toEqual([200, [{ key: { n: 1 }, name: 'x' }]]);
    });

    it.each<[string, string, unknown, number, string]>([
      ['a different key in the body', '/things?id=eq.1', { id: 2, name: 'x' }, 400, 'PGRST115'],
      ['no key in the body', '/things?id=eq.1', { name: 'x' }, 400, 'PGRST115'],
      ['no row in the body', '/things?id=eq.1', [], 400, 'PGRST115'],
      ['two keys in the URL', '/things?id=eq.1&id=eq.2', { id: 1, name: 'x' }, 400, 'PGRST115'],
      ['no key in the URL', '/things', { id: 1, name: 'x' }, 405, 'PGRST105'],
      [
        'a filter in addition to the key',
        '/things?id=eq.1&name=eq.one',
        { id: 1, name: 'x' },
        405,
        'PGRST105',
      ],
      ['a different column', '/things?name=eq.one', { id: 1, name: 'x' }, 405, 'PGRST105'],
      ['a different operator', '/things?id=gte.1', { id: 1, name: 'x' }, 405, 'PGRST105'],
      ['a list', '/things?id=eq(any).{1,2}', { id: 1, name: 'x' }, 405, 'PGRST105'],
      ['a negation', '/things?id=not.eq.2', { id: 1, name: 'x' }, 405, 'PGRST105'],
      ['logic', '/things?or=(id.eq.1)', { id: 1, name: 'x' }, 405, 'PGRST105'],
      ['a JSON path of the key', '/things?id->>x=eq.1', { id: 1, name: 'x' }, 405, 'PGRST105'],
      ['a table without a key', '/notes?body=eq.x', { body: 'x' }, 405, 'PGRST105'],
      ['a limit', '/things?id=eq.1&limit=1', { id: 1, name: 'x' }, 400, 'PGRST114'],
      ['an offset', '/things?id=eq.1&offset=1', { id: 1, name: 'x' }, 400, 'PGRST114'],
      ['an unknown column', '/things?id=eq.1', { id: 1, nothing: 1 }, 400, 'PGRST204'],
      ['a failed check', '/things?id=eq.1', { id: 1, name: '' }, 400, '23514'],
      [
        'a duplicate of a different unique key',
        '/things?id=eq.1',
        { id: 1, name: 'x', code: 'b' },
        409,
        '23505',
      ],
      ['an invalid key', '/things?id=eq.x', { id: 1, name: 'x' }, 400, '22P02'],
      ['a function', '/rpc/shout?id=eq.1', { id: 1 }, 405, 'PGRST101'],
    ])('rejects %s', async (_name, path, body, status, code) => {
      expect(await readError(() => put(path, body))).toEqual([status, code]);
    });

    it('rejects a row without the privilege', { tags: ['REST-10'] }, async () => {
      expect(
        await readError(() => put('/things?id=eq.1', { id: 1, name: 'x' }, {}, 'authenticated')),
      ).toEqual([403, '42501']);
      for (const column of ['id', 'name', 'nothing']) {
        expect(await readError(() => put(`/things?${column}=eq.1`, { id: 1 }, {}, 'anon'))).toEqual([
          401,
          '42501',
        ]);
      }
    });

    it('replaces only rows that the policy permits', { tags: ['REST-10'] }, async () => {
      const ownRow = { id: 2, owner: 'me' };
      expect(await readError(() => put('/own?id=eq.2', ownRow, {}, 'authenticated'))).toEqual([403, '42501']);
      expect(
        await readError(() => put('/own?id=eq.1', { id: 1, owner: 'you' }, {}, 'authenticated')),
      ).toEqual([403, '42501']);
      expect((await put('/own?id=eq.1', { id: 1, owner: 'me' }, represent, 'authenticated')).status).toBe(
        200,
      );
    });
  });

  describe('DELETE', () => {
    it('deletes the matching rows', { tags: ['C267'] }, async () => {
      const minimal = await remove('/things?id=eq.3');
      expect([minimal.status, minimal.text, minimal.headers.get('content-range')]).toEqual([204, '', '*/*']);
      const represented = await remove('/parts?thing_id=eq.1&select=label&order=label', {
        Prefer: 'return=representation,count=exact',
      });
      expect([represented.status, represented.body, represented.headers.get('content-range')]).toEqual([
        200,
        [{ label: 'x' }, { label: 'y' }],
        '*/2',
      ]);
      expect((await remove('/parts?id=eq.99', represent)).body).toEqual([]);
    });

    it('rejects invalid deletes', async () => {
      expect(await readError(() => remove('/things'))).toEqual([400, '21000']);
      expect(await readError(() => remove('/things?id=eq.1'))).toEqual([409, '23503']);
      expect(await readError(() => remove('/parts?id=lt.9', { ...represent, ...object }))).toEqual([
        406,
        'PGRST116',
      ]);
      expect(
        await readError(() => remove('/parts?id=lt.9', { Prefer: 'handling=strict,max-affected=1' })),
      ).toEqual([400, 'PGRST124']);
      expect(await readError(() => remove('/things?id=eq.1', {}, 'authenticated'))).toEqual([403, '42501']);
      expect(await readError(() => remove('/things?id=eq.1', {}, 'anon'))).toEqual([401, '42501']);
    });
  });

  describe.each(['PATCH', 'DELETE'])('%s', (method) => {
    it.each(['limit=1', 'offset=1', 'limit=all', 'limit=1&offset=0'])('rejects %s', async (page) => {
      const send = (): Promise<RestResponse> =>
        data.request(`/things?id=lt.3&${page}`, { method, body: { kind: 'k' }, headers: represent });
      expect(await readError(send)).toEqual([400, 'PGRST114']);
      expect((await send()).body).toMatchObject({
        message: `limit and offset are not allowed for ${method}`,
      });
    });
  });

  describe('row level security', () => {
    it('treats hidden rows as missing', async () => {
      expect((await patch('/own?id=eq.2', { owner: 'me' }, {}, 'authenticated')).status).toBe(204);
      expect((await remove('/own?id=eq.2', represent, 'authenticated')).body).toEqual([]);
      expect(await readError(() => patch('/own?id=eq.1', { owner: 'you' }, {}, 'authenticated'))).toEqual([
        403,
        '42501',
      ]);
      expect(await readError(() => post('/own', { id: 3, owner: 'you' }, {}, 'authenticated'))).toEqual([
        403,
        '42501',
      ]);
      expect((await post('/own', { id: 3, owner: 'me' }, represent, 'authenticated')).body).toEqual([
        { id: 3, owner: 'me' },
      ]);
    });
  });

  describe('preferences', () => {
    it('returns the result of a write with tx=rollback and rolls it back', async () => {
      const before = await dumpRows(data);
      const response = await post(
        '/things?select=id',
        { id: 4, name: 'four' },
        { Prefer: 'return=representation,tx=rollback' },
      );
      expect([response.status, response.body, response.headers.get('preference-applied')]).toEqual([
        201,
        [{ id: 4 }],
        'return=representation, tx=rollback',
      ]);
      expect(await dumpRows(data)).toBe(before);
    });

    it('accepts a time zone and rejects an unknown one', async () => {
      const response = await post(
        '/things?select=made_at',
        { id: 4, name: 'n' },
        { Prefer: 'return=representation,timezone=America/New_York' },
      );
      expect(response.body).toEqual([{ made_at: '2025-12-31T19:00:00-05:00' }]);
      expect(
        await readError(() => post('/things', { id: 5, name: 'n' }, { Prefer: 'timezone=Nowhere' })),
      ).toEqual([400, '22023']);
    });

    it('rejects unknown preferences only with strict handling', { tags: ['REST-14'] }, async () => {
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
