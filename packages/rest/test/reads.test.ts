import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eachEngine } from '@lanternrock/testing/engines';
import { openLibrary, type Library } from './support/library-schema.ts';

eachEngine('reads', (engine) => {
  let data: Library;
  beforeAll(async () => {
    data = await openLibrary(engine);
  });
  afterAll(() => data.close());

  describe('select', () => {
    it.each([
      ['/books?select=id&order=id', [{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }]],
      ['/books?select=n:title&id=eq.1', [{ n: 'Snow' }]],
      ['/books?select=id::text&id=eq.1', [{ id: '1' }]],
      ['/books?select=facts->>genre,facts->tags->0&id=eq.1', [{ genre: 'winter', tags: 'cold' }]],
      ['/books?select=facts->tags->-1&id=eq.1', [{ tags: 'white' }]],
      ['/books?select=shelf->>0&id=eq.1', [{ shelf: 'a' }]],
      ['/books?select=loud&id=eq.1', [{ loud: 'SNOW' }]],
      ['/books?select=id,id&id=eq.1', [{ id: 1 }]],
      ['/books?select=%22big%22&id=eq.1', [{ big: Number('9007199254740993') }]],
      ['/odd%20names?select=%22odd%20column%22', [{ 'odd column': 'yes' }]],
    ])('%s', async (path, expected) => {
      expect(await data.rows(path)).toEqual(expected);
    });

    it('returns numbers exactly as Postgres formats them', async () => {
      const { text } = await data.request('/books?select=big,price&id=eq.1');
      expect(text).toContain('9007199254740993');
      expect(text).toContain('12345678901234567890.10');
    });

    it.each([
      ['/books?select=nothing', [400, '42703']],
      ['/books?select=id::nothing', [400, '42704']],
      ['/books?select=id::regclass', [400, '42704']],
      ['/books?select=row_to_json', [400, '42703']],
      ['/books?select=id,', [400, 'PGRST100']],
      ['/books?select=(id', [400, 'PGRST100']],
      ['/books?select=id%22--', [400, 'PGRST100']],
      ['/books?select=id;drop table books', [400, 'PGRST100']],
      ['/books?select=facts->', [400, 'PGRST100']],
      ['/books?select=id%00', [400, 'PGRST100']],
    ])('rejects %s', { tags: ['REST-04'] }, async (path, expected) => {
      expect(await data.readError(path)).toEqual(expected);
    });
  });

  describe('filters', () => {
    const ids = async (query: string): Promise<number[]> =>
      ((await data.rows(`/books?select=id&order=id&${query}`)) as { id: number }[]).map(({ id }) => id);
    it.each([
      ['id=eq.1', [1]],
      ['id=neq.1', [2, 3, 4]],
      ['id=gt.2', [3, 4]],
      ['id=gte.3&id=lt.4', [3]],
      ['id=lte.2', [1, 2]],
      ['id=in.(1,3)', [1, 3]],
      ['id=in.()', []],
      ['id=not.in.(1,3)', [2, 4]],
      ['title=in.("Snow","Sea, the")', [1, 2]],
      ['title=in.("a"b,Snow)', [1]],
      ['title=like.S*', [1, 2]],
      ['title=ilike.s*', [1, 2]],
      ['title=like(any).{Sn*,Ri*}', [1, 3]],
      ['title=like(all).{S*,*now}', [1]],
      ['title=match.^S', [1, 2]],
      ['title=imatch.^s', [1, 2]],
      ['id=eq(any).{1,2}', [1, 2]],
      ['author_id=is.null', [4]],
      ['author_id=is.NOT_NULL', [1, 2, 3]],
      ['author_id=not.is.null', [1, 2, 3]],
      ['in_print=is.true', [1, 2]],
      ['in_print=is.unknown', [4]],
      ['author_id=isdistinct.1', [3, 4]],
      ['shelf=cs.{a}', [1, 2]],
      ['shelf=cd.{a,b,c}', [1, 2, 3, 4]],
      ['shelf=ov.{b}', [1, 3]],
      ['loaned=sl.[2026-06-01,2026-07-01)', [1]],
      ['loaned=sr.[2026-01-15,2026-02-01)', [2]],
      ['loaned=nxl.[2026-06-01,2026-07-01)', [2]],
      ['loaned=nxr.[2026-01-01,2026-02-01)', [1]],
      ['loaned=adj.[2026-02-01,2026-03-01)', [1]],
      ['loaned=cs.[2026-01-10,2026-01-11)', [1]],
      ['title=fts.snow', [1]],
      ['title=plfts.snow', [1]],
      ['title=phfts(english).snow', [1]],
      ['title=wfts(simple).snow', [1]],
      ['title=not.fts.snow', [2, 3, 4]],
      ['facts->>genre=eq.winter', [1]],
      ['facts->tags=cs.["cold"]', [1]],
      ['or=(id.eq.1,id.eq.3)', [1, 3]],
      ['or=(id.eq.1,and(id.gt.2,id.lt.4))', [1, 3]],
      ['not.or=(id.eq.1,id.eq.3)', [2, 4]],
      ['and=(id.gt.1,not.or(id.eq.2,id.eq.3))', [4]],
      ['or=(title.eq."Sea, the",title.in.("Snow",x))', [1, 2]],
      ['or=(shelf.cs.{a,b},id.eq.4)', [1, 4]],
      ['and=( id.gt.1 , id.lt.3 )', [2]],
      ['title=eq.Sea,%20the', [2]],
      ['nothing', [1, 2, 3, 4]],
    ])('%s', async (query, expected) => {
      expect(await ids(query)).toEqual(expected);
    });

    it.each([
      ['id=foo.1', [400, 'PGRST100']],
      ['id=eq', [400, 'PGRST100']],
      ['id=eq.abc', [400, '22P02']],
      ['id=eq.1;select pg_sleep(5)', [400, '22P02']],
      ['id=in.(1,2);--', [400, 'PGRST100']],
      ['id=is.foo', [400, 'PGRST100']],
      ['id=is.null or true', [400, 'PGRST100']],
      ['or=()', [400, 'PGRST100']],
      ['or=(a.eq.1,b.eq.2)) or 1=1--', [400, 'PGRST100']],
      ['nothing=eq.1', [400, '42703']],
      ['authors.name=eq.x', [400, 'PGRST108']],
      ['facts->0x1=eq.1', [400, 'PGRST100']],
      ["facts->>a') or ('1'='1=eq.1", [400, 'PGRST100']],
      ['title=neq(any).{a}', [400, 'PGRST100']],
      ['title=fts(nothing).x', [400, '42704']],
    ])('rejects %s', { tags: ['REST-02', 'REST-03'] }, async (query, expected) => {
      expect(await data.readError(`/books?${query}`)).toEqual(expected);
    });

    it('treats hostile values as plain text', { tags: ['REST-02'] }, async () => {
      expect(await ids(`title=eq.${encodeURIComponent(`x' or '1'='1`)}`)).toEqual([]);
      expect(await ids(`title=in.(${encodeURIComponent(`"a\\"b","{x}","NULL"`)})`)).toEqual([]);
    });

    it('limits nesting and lists', { tags: ['REST-22'] }, async () => {
      const nested = `${'and('.repeat(40)}id.eq.1${')'.repeat(40)}`;
      expect(await data.readError(`/books?or=(${nested})`)).toEqual([400, 'PGRST100']);
      expect(
        await data.readError(`/books?id=in.(${Array.from({ length: 10_001 }, () => '1').join(',')})`),
      ).toEqual([400, 'PGRST100']);
    });
  });

  describe('order, limit and offset', () => {
    const titles = async (query: string): Promise<string[]> =>
      ((await data.rows(`/books?select=title&${query}`)) as { title: string }[]).map(({ title }) => title);
    it.each([
      ['order=title', ['River', 'Sea, the', 'Snow', 'Untold']],
      ['order=title.desc', ['Untold', 'Snow', 'Sea, the', 'River']],
      ['order=author_id.desc.nullslast,id.desc', ['River', 'Sea, the', 'Snow', 'Untold']],
      ['order=author_id.nullsfirst,title', ['Untold', 'Sea, the', 'Snow', 'River']],
      ['order=facts->>genre,id', ['River', 'Snow', 'Sea, the', 'Untold']],
      ['order=id&limit=2', ['Snow', 'Sea, the']],
      ['order=id&limit=2&offset=3', ['Untold']],
      ['order=id&limit=abc', ['Snow', 'Sea, the', 'River', 'Untold']],
      ['order=id&limit=0', []],
    ])('%s', async (query, expected) => {
      expect(await titles(query)).toEqual(expected);
    });

    it.each([
      ['/books', {}, 200, '0-3/*'],
      ['/books?limit=2', {}, 200, '0-1/*'],
      ['/books?limit=2', { Prefer: 'count=exact' }, 206, '0-1/4'],
      ['/books?limit=2&offset=2', { Prefer: 'count=exact' }, 206, '2-3/4'],
      ['/books', { Prefer: 'count=exact' }, 200, '0-3/4'],
      ['/books?limit=4', { Prefer: 'count=exact' }, 200, '0-3/4'],
      ['/books?offset=4', { Prefer: 'count=exact' }, 206, '*/4'],
      ['/books?limit=0', { Prefer: 'count=exact' }, 206, '*/4'],
      ['/books?id=eq.9', { Prefer: 'count=exact' }, 200, '*/0'],
      ['/books?offset=100', {}, 200, '*/*'],
      ['/books?select=*,authors!inner(*)&limit=1', { Prefer: 'count=exact' }, 206, '0-0/3'],
      ['/authors?select=id,books!inner(id)&books.offset=1', { Prefer: 'count=exact' }, 200, '0-0/1'],
      ['/authors?select=id,books!inner(id)&books.offset=1&limit=1', { Prefer: 'count=exact' }, 200, '0-0/1'],
      ['/authors?select=id,books!inner(id)&books.limit=0&limit=0', { Prefer: 'count=exact' }, 200, '*/0'],
      ['/books?select=*,authors(*)&authors=is.null&limit=0', { Prefer: 'count=exact' }, 206, '*/1'],
      ['/books?select=author_id,id.count()&limit=1', { Prefer: 'count=exact' }, 206, '0-0/3'],
    ])('responds to %s %o with %i %s', async (path, headers, status, range) => {
      for (const method of ['GET', 'HEAD']) {
        const response = await data.request(path, { method, headers: headers as Record<string, string> });
        expect([response.status, response.headers.get('content-range')]).toEqual([status, range]);
        if (method === 'HEAD') expect(response.text).toBe('');
      }
    });

    it('returns 416 for an offset behind the end', async () => {
      const response = await data.request('/books?offset=100', { headers: { Prefer: 'count=exact' } });
      expect(response.status).toBe(416);
      expect(response.headers.get('content-range')).toBe('*/4');
      expect(response.body).toMatchObject({
        code: 'PGRST103',
        details: 'An offset of 100 was requested, but there are only 4 rows.',
      });
      expect(await data.readError('/books?limit=-1')).toEqual([416, 'PGRST103']);
    });
  });

  describe('response formats', () => {
    const object = 'application/vnd.pgrst.object+json';
    it('returns one object or 406 PGRST116', { tags: ['C264', 'C270', 'REST-31'] }, async () => {
      const one = await data.request('/books?id=eq.1&select=id', { headers: { Accept: object } });
      expect([one.status, one.body, one.headers.get('content-type')]).toEqual([
        200,
        { id: 1 },
        `${object}; charset=utf-8`,
      ]);
      for (const [query, count] of [
        ['id=eq.9', 0],
        ['id=lt.3', 2],
      ] as const) {
        const response = await data.request(`/books?${query}`, { headers: { Accept: object } });
        expect(response.status).toBe(406);
        expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
        expect(response.body).toEqual({
          code: 'PGRST116',
          message: 'Cannot coerce the result to a single JSON object',
          details: `The result contains ${count} rows`,
          hint: null,
        });
      }
    });

    it('omits null values on request', async () => {
      const array = await data.request('/books?id=eq.4&select=id,author_id', {
        headers: { Accept: 'application/vnd.pgrst.array+json;nulls=stripped' },
      });
      expect([array.body, array.headers.get('content-type')]).toEqual([
        [{ id: 4 }],
        'application/vnd.pgrst.array+json;nulls=stripped; charset=utf-8',
      ]);
      const single = await data.request('/books?id=eq.4&select=id,author_id', {
        headers: { Accept: `${object};nulls=stripped` },
      });
      expect(single.body).toEqual({ id: 4 });
    });

    it('returns CSV', async () => {
      const { text, headers } = await data.request('/books?select=id,title,author_id&order=id', {
        headers: { Accept: 'text/csv' },
      });
      expect(text).toBe('id,title,author_id\n1,Snow,1\n2,"Sea, the",1\n3,River,2\n4,Untold,');
      expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
      // The published client treats an empty body as no response.
      expect((await data.request('/books?id=eq.99', { headers: { Accept: 'text/csv' } })).text).toBe('\n');
    });

    it('rejects other formats, including query plans', { tags: ['REST-19'] }, async () => {
      for (const accept of ['image/png', 'application/vnd.pgrst.plan+json']) {
        const { status, body } = await data.request('/books', { headers: { Accept: accept } });
        expect([status, (body as { code: string }).code]).toEqual([406, 'PGRST107']);
      }
      const { status } = await data.request('/books', { headers: { Accept: 'image/png;q=0.9, */*;q=0.1' } });
      expect(status).toBe(200);
    });
  });
});
