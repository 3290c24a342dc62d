import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openRestFixture, type RestResponse, type RestFixture } from './support/rest-fixture.ts';
import { eachEngine } from '@lanternrock/testing/engines';
import {
  createSender,
  expectRejected,
  resetRows,
  type Send,
  writeSchemaScript,
} from './support/write-schema.ts';

const represent = { Prefer: 'return=representation' };
const object = { Accept: 'application/vnd.pgrst.object+json' };

eachEngine('inserts', (engine) => {
  let data: RestFixture;
  let post: Send;
  beforeAll(async () => {
    data = await openRestFixture(engine, writeSchemaScript, { settings: { TX_OVERRIDE: true } });
    post = createSender(data, 'POST');
  });
  afterAll(async () => data.close());
  beforeEach(async () => resetRows(data));

  const readError = (send: () => Promise<RestResponse>): Promise<unknown[]> => expectRejected(data, send);

  describe('POST', () => {
    it('inserts one row without a response body', { tags: ['C265'] }, async () => {
      const response = await post('/things', { id: 4, name: 'four' });
      expect([response.status, response.text, response.headers.get('content-range')]).toEqual([
        201,
        '',
        '*/*',
      ]);
      expect((await data.request('/things?id=eq.4&select=name,amount,kind')).body).toEqual([
        { name: 'four', amount: 7, kind: 'plain' },
      ]);
    });

    it('returns the row on request, as an array or as an object', async () => {
      const array = await post(
        '/things?select=id,n:name,twice,shout',
        { id: 4, name: 'four' },
        { Prefer: 'return=representation,count=exact' },
      );
      expect([array.status, array.body]).toEqual([201, [{ id: 4, n: 'four', twice: 14, shout: 'FOUR' }]]);
      expect(array.headers.get('content-range')).toBe('*/1');
      expect(array.headers.get('preference-applied')).toBe('return=representation, count=exact');
      const single = await post('/things?select=id', { id: 5, name: 'five' }, { ...represent, ...object });
      expect([single.status, single.body]).toEqual([201, { id: 5 }]);
    });

    it('returns complete rows without select', async () => {
      const { body } = await post('/things', { id: 4, name: 'four' }, represent);
      expect(body).toEqual([
        {
          id: 4,
          name: 'four',
          amount: 7,
          big: null,
          code: null,
          made_at: '2026-01-01T00:00:00+00:00',
          kind: 'plain',
          twice: 14,
        },
      ]);
    });

    it('preserves the precision of numbers', async () => {
      const text = '[{"id":4,"name":"n","big":9007199254740993,"amount":12345678901234567890.123456789}]';
      const { text: response } = await post(
        '/things?columns=id,name,big,amount&select=big,amount',
        text,
        represent,
      );
      expect(response).toContain('9007199254740993');
      expect(response).toContain('12345678901234567890.123456789');
    });

    it('embeds rows referenced by the written rows', async () => {
      const { body } = await post('/parts?select=label,things(name)', { thing_id: 2, label: 'z' }, represent);
      expect(body).toEqual([{ label: 'z', things: { name: 'two' } }]);
    });

    it('inserts several rows, and rows with defaults only', async () => {
      expect(
        (
          await post('/things?columns="id","name"', [
            { id: 4, name: 'four', kind: 'ignored' },
            { id: 5, name: 'five' },
          ])
        ).status,
      ).toBe(201);
      expect((await data.request('/things?id=gt.3&select=id,kind&order=id')).body).toEqual([
        { id: 4, kind: 'plain' },
        { id: 5, kind: 'plain' },
      ]);
      expect((await post('/defaults', {}, represent)).body).toEqual([{ id: 1, word: 'given' }]);
      expect((await post('/defaults', [{}, {}], represent)).body).toEqual([
        { id: 2, word: 'given' },
        { id: 3, word: 'given' },
      ]);
      const none = await post('/defaults', [], represent);
      expect([none.status, none.body]).toEqual([201, []]);
    });

    it('uses null or the default for missing keys', async () => {
      const rows = [
        { id: 4, name: 'four' },
        { id: 5, name: 'five', kind: 'own' },
      ];
      const asNull = await post('/things?columns=id,name,kind&select=kind', rows, represent);
      expect(asNull.body).toEqual([{ kind: null }, { kind: 'own' }]);
      const asDefault = await post(
        '/things?columns=id,name,kind&select=kind',
        [
          { id: 6, name: 'six' },
          { id: 7, name: 's', kind: null },
        ],
        {
          Prefer: 'return=representation,missing=default',
        },
      );
      expect(asDefault.body).toEqual([{ kind: 'plain' }, { kind: null }]);
      expect(asDefault.headers.get('preference-applied')).toBe('missing=default, return=representation');
      const one = await post(
        '/defaults?columns=id,word',
        {},
        { Prefer: 'return=representation,missing=default' },
      );
      expect(one.body).toEqual([{ id: 1, word: 'given' }]);
    });

    it('returns the location of a new row', async () => {
      const one = await post('/things', { id: 4, name: 'four' }, { Prefer: 'return=headers-only' });
      expect([one.status, one.text, one.headers.get('location')]).toEqual([201, '', '/things?id=eq.4']);
      const two = await post(
        '/things',
        [
          { id: 5, name: 'a' },
          { id: 6, name: 'b' },
        ],
        { Prefer: 'return=headers-only' },
      );
      expect([two.status, two.headers.get('location')]).toEqual([201, null]);
    });

    it('requires no SELECT privilege on columns that it does not return', async () => {
      expect((await post('/things', { id: 4, name: 'four' }, {}, 'authenticated')).status).toBe(201);
      const chosen = await post('/things?select=id', { id: 5, name: 'five' }, represent, 'authenticated');
      expect([chosen.status, chosen.body]).toEqual([201, [{ id: 5 }]]);
      expect(
        await readError(() => post('/things', { id: 6, name: 'six' }, represent, 'authenticated')),
      ).toEqual([403, '42501']);
    });

    it.each<[string, string, unknown, number, string]>([
      ['an unknown key', '/things', { id: 4, nothing: 1 }, 400, 'PGRST204'],
      ['an unknown name in columns', '/things?columns=id,nothing', [{ id: 4 }], 400, 'PGRST204'],
      ['uneven keys', '/things', [{ id: 4 }, { id: 5, name: 'x' }], 400, 'PGRST102'],
      ['elements that are no objects', '/things', [1, 2], 400, 'PGRST102'],
      ['text that is no JSON', '/things', 'nonsense', 400, 'PGRST102'],
      ['an empty body', '/things', '', 400, 'PGRST102'],
      ['a NUL', '/things', '{"id":4,"name":"\u0000"}', 400, 'PGRST102'],
      ['an escaped NUL', '/things', '{"id":4,"name":"\\u0000"}', 400, '22P05'],
      ['a wrong value', '/things', { id: 'x', name: 'n' }, 400, '22P02'],
      ['a taken key', '/things', { id: 1, name: 'n' }, 409, '23505'],
      ['a broken reference', '/parts', { thing_id: 99 }, 409, '23503'],
      ['a missing value', '/things', { id: 4, name: null }, 400, '23502'],
      ['a failed check', '/things', { id: 4, name: '' }, 400, '23514'],
      ['a generated column', '/things', { id: 4, name: 'n', twice: 1 }, 400, '428C9'],
      ['a body key that is SQL', '/things', { 'id") values (9); drop table things; --': 1 }, 400, 'PGRST204'],
      ['an unknown table', '/nothing', { id: 1 }, 404, 'PGRST205'],
    ])('rejects %s', async (_name, path, body, status, code) => {
      expect(await readError(() => post(path, body))).toEqual([status, code]);
    });

    it.each([
      'text/plain',
      'application/json garbage',
      'application/json; charset=utf-16',
      'application/json\ta',
      'text/csv; charset=latin1',
      'application/xml',
    ])('rejects the type %s', { tags: ['REST-30'] }, async (type) => {
      expect(await readError(() => post('/things', '{"id":4,"name":"n"}', { 'Content-Type': type }))).toEqual(
        [400, 'PGRST102'],
      );
    });

    it('accepts the JSON type in any case, with UTF-8', { tags: ['REST-30'] }, async () => {
      expect(
        (
          await post('/things', '{"id":4,"name":"ü"}', {
            'Content-Type': 'Application/JSON; charset="UTF-8"',
          })
        ).status,
      ).toBe(201);
    });

    it('rolls back a singular insert of two rows', async () => {
      expect(
        await readError(() =>
          post(
            '/things',
            [
              { id: 4, name: 'a' },
              { id: 5, name: 'b' },
            ],
            { ...represent, ...object },
          ),
        ),
      ).toEqual([406, 'PGRST116']);
      expect(
        await readError(() =>
          post(
            '/things',
            [
              { id: 4, name: 'a' },
              { id: 5, name: 'b' },
            ],
            object,
          ),
        ),
      ).toEqual([406, 'PGRST116']);
    });
  });

  describe('other bodies', () => {
    const csv = { 'Content-Type': 'text/csv' };
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };

    it('parses CSV: a header line, NULL, quotation marks', async () => {
      const text =
        '\ufeffid,name,amount,kind\r\n4,"fo""ur,\n",12345678901234567890.5,NULL\r\n\r\n5,five,NULL,';
      const { status, text: response } = await post('/things?select=id,name,amount,kind', text, {
        ...csv,
        ...represent,
      });
      expect([status, response.replace(/ \n ?/g, '')]).toEqual([
        201,
        '[{"id":4,"name":"fo\\"ur,\\n","amount":12345678901234567890.5,"kind":null},{"id":5,"name":"five","amount":null,"kind":""}]',
      ]);
      const chosen = await post(
        '/things?columns=id,name,kind&select=id,name,kind',
        'id,name,code\n6,six,a\n',
        {
          ...csv,
          Prefer: 'return=representation,missing=default',
        },
      );
      expect(chosen.body).toEqual([{ id: 6, name: 'six', kind: 'plain' }]);
      const none = await post('/things', 'id,name', { ...csv, ...represent });
      expect([none.status, none.body]).toEqual([201, []]);
      const known = await post('/things?select=name', 'id,name\n1,uno', {
        ...csv,
        Prefer: 'resolution=merge-duplicates,return=representation',
      });
      expect([known.status, known.body]).toEqual([200, [{ name: 'uno' }]]);
    });

    it('parses a form as one row', async () => {
      const { status, body } = await post('/things?select=id,name', 'id=4&name=a+b%26%C3%BC&name=f%22%2B', {
        ...form,
        ...represent,
      });
      expect([status, body]).toEqual([201, [{ id: 4, name: 'f"+' }]]);
      const changed = await data.request('/things?id=eq.4&select=name', {
        method: 'PATCH',
        body: 'name=x',
        headers: { ...form, ...represent },
      });
      expect(changed.body).toEqual([{ name: 'x' }]);
    });

    it.each<[string, Record<string, string>, string, number, string]>([
      ['no CSV', csv, '', 400, 'PGRST102'],
      ['lines of different lengths', csv, 'id,name\n4,x,y', 400, 'PGRST102'],
      ['an open quotation mark', csv, 'id,name\n4,"x', 400, 'PGRST102'],
      ['a quotation mark inside a cell', csv, 'id,name\n4,x"y"', 400, 'PGRST102'],
      ['equal names', csv, 'id,name,name\n4,x,y', 400, 'PGRST102'],
      ['a NUL in CSV', csv, 'id,name\n4,x\0', 400, 'PGRST102'],
      ['a NUL in a form', form, 'id=4&name=x%00', 400, 'PGRST102'],
      ['deep brackets in a form', form, `id=4&name=${'['.repeat(65)}`, 400, 'PGRST102'],
      ['an unknown name in CSV', csv, 'id,nothing\n4,x', 400, 'PGRST204'],
      ['an unknown name in a form', form, 'id=4&__proto__=x', 400, 'PGRST204'],
      ['a wrong value in CSV', csv, 'id,name\nx,x', 400, '22P02'],
      ['CSV that is JSON', csv, '{"id":4,"name":"x"}', 400, 'PGRST102'],
      ['rows that are large as JSON', csv, `${'x'.repeat(5000)}\n${'1\n'.repeat(300)}`, 413, '413'],
      ['a form that is large as JSON', form, `id=4&name=${'\u0001'.repeat(200_000)}`, 413, '413'],
    ])('rejects %s', { tags: ['REST-30'] }, async (_name, type, body, status, code) => {
      expect(await readError(() => post('/things', body, type))).toEqual([status, code]);
    });
  });

  describe('upsert', () => {
    const merge = { Prefer: 'resolution=merge-duplicates,return=representation' };
    const ignore = { Prefer: 'resolution=ignore-duplicates,return=representation' };

    it('returns 201 if a row is new and 200 if all rows exist', async () => {
      const mixed = await post(
        '/things?select=id,name&order=id',
        [
          { id: 1, name: 'uno' },
          { id: 4, name: 'four' },
        ],
        merge,
      );
      expect([mixed.status, mixed.body]).toEqual([
        201,
        [
          { id: 1, name: 'uno' },
          { id: 4, name: 'four' },
        ],
      ]);
      expect(mixed.headers.get('preference-applied')).toBe(
        'resolution=merge-duplicates, return=representation',
      );
      const known = await post('/things?select=name', { id: 1, name: 'eins' }, merge);
      expect([known.status, known.body]).toEqual([200, [{ name: 'eins' }]]);
      const again = await post('/things', { id: 9, name: 'nine' }, { Prefer: 'resolution=merge-duplicates' });
      expect(again.status).toBe(201);
      expect((await post('/things', [], merge)).status).toBe(200);
    });

    it('ignores existing rows on request', async () => {
      const known = await post('/things?select=id', { id: 1, name: 'uno' }, ignore);
      expect([known.status, known.body]).toEqual([201, []]);
      const mixed = await post(
        '/things?select=id',
        [
          { id: 1, name: 'uno' },
          { id: 4, name: 'four' },
        ],
        ignore,
      );
      expect([mixed.status, mixed.body]).toEqual([201, [{ id: 4 }]]);
      expect((await data.request('/things?id=eq.1&select=name')).body).toEqual([{ name: 'one' }]);
    });

    it('uses other unique columns as the conflict target', async () => {
      const response = await post(
        '/things?on_conflict=code&select=id,name',
        { id: 1, name: 'uno', code: 'a' },
        merge,
      );
      expect([response.status, response.body]).toEqual([200, [{ id: 1, name: 'uno' }]]);
      expect(await readError(() => post('/things?on_conflict=name', { id: 1, name: 'x' }, merge))).toEqual([
        400,
        '42P10',
      ]);
      expect(await readError(() => post('/things?on_conflict=id")--', { id: 1, name: 'x' }, merge))).toEqual([
        400,
        'PGRST100',
      ]);
    });

    it('is a plain insert without a key', async () => {
      const response = await post('/notes', { body: 'n' }, { Prefer: 'resolution=merge-duplicates' });
      expect([response.status, response.headers.get('preference-applied')]).toEqual([201, null]);
    });

    it('changes nothing without the UPDATE privilege', { tags: ['REST-10'] }, async () => {
      expect(
        await readError(() =>
          post('/things', { id: 1, name: 'x' }, { Prefer: 'resolution=merge-duplicates' }, 'authenticated'),
        ),
      ).toEqual([403, '42501']);
    });
  });
});
