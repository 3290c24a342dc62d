import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDataInterface, type DataInterface } from './support/data-interface.ts';
import { eachEngine } from './support/engines.ts';
import { libraryScript } from './support/library.ts';

eachEngine('reads', (engine) => {
  let data: DataInterface;
  beforeAll(async () => {
    data = await openDataInterface(engine, libraryScript, { AGGREGATES: 'on' });
  });
  afterAll(async () => data.close());

  const rows = async (path: string): Promise<unknown> => {
    const { status, text, body } = await data.ask(path);
    expect(status, text).toBeLessThan(300);
    return body;
  };
  const refused = async (path: string): Promise<unknown[]> => {
    const { status, body } = await data.ask(path);
    expect(Object.keys(body as object).sort()).toEqual(['code', 'details', 'hint', 'message']);
    return [status, (body as { code: string }).code];
  };

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
      expect(await rows(path)).toEqual(expected);
    });

    it('passes numbers through exactly as the database prints them', async () => {
      const { text } = await data.ask('/books?select=big,price&id=eq.1');
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
    ])('refuses %s', async (path, expected) => {
      expect(await refused(path)).toEqual(expected);
    });
  });

  describe('filters', () => {
    const ids = async (query: string): Promise<number[]> =>
      ((await rows(`/books?select=id&order=id&${query}`)) as { id: number }[]).map(({ id }) => id);
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
    ])('refuses %s', async (query, expected) => {
      expect(await refused(`/books?${query}`)).toEqual(expected);
    });

    it('reads hostile values as plain text', async () => {
      expect(await ids(`title=eq.${encodeURIComponent(`x' or '1'='1`)}`)).toEqual([]);
      expect(await ids(`title=in.(${encodeURIComponent(`"a\\"b","{x}","NULL"`)})`)).toEqual([]);
    });

    it('limits nesting and lists', async () => {
      const nested = `${'and('.repeat(40)}id.eq.1${')'.repeat(40)}`;
      expect(await refused(`/books?or=(${nested})`)).toEqual([400, 'PGRST100']);
      expect(await refused(`/books?id=in.(${Array.from({ length: 10_001 }, () => '1').join(',')})`)).toEqual([400, 'PGRST100']);
    });
  });

  describe('order and window', () => {
    const titles = async (query: string): Promise<string[]> =>
      ((await rows(`/books?select=title&${query}`)) as { title: string }[]).map(({ title }) => title);
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
      ['/books?select=*,authors(*)&authors=is.null&limit=0', { Prefer: 'count=exact' }, 206, '*/1'],
      ['/books?select=author_id,id.count()&limit=1', { Prefer: 'count=exact' }, 206, '0-0/3'],
    ])('%s %o answers %i %s', async (path, headers, status, range) => {
      for (const method of ['GET', 'HEAD']) {
        const answer = await data.ask(path, { method, headers: headers as Record<string, string> });
        expect([answer.status, answer.headers.get('content-range')]).toEqual([status, range]);
        if (method === 'HEAD') expect(answer.text).toBe('');
      }
    });

    it('answers 416 behind the end', async () => {
      const answer = await data.ask('/books?offset=100', { headers: { Prefer: 'count=exact' } });
      expect(answer.status).toBe(416);
      expect(answer.headers.get('content-range')).toBe('*/4');
      expect(answer.body).toMatchObject({
        code: 'PGRST103',
        details: 'An offset of 100 was requested, but there are only 4 rows.',
      });
      expect(await refused('/books?limit=-1')).toEqual([416, 'PGRST103']);
    });
  });

  describe('embeds', () => {
    it.each([
      ['/books?select=id,authors(name)&order=id&limit=1', [{ id: 1, authors: { name: 'Ada' } }]],
      ['/books?select=id,authors(name)&id=eq.4', [{ id: 4, authors: null }]],
      ['/books?select=id,writer:authors(name)&writer.name=eq.Bo&order=id', [
        { id: 1, writer: null }, { id: 2, writer: null }, { id: 3, writer: { name: 'Bo' } }, { id: 4, writer: null },
      ]],
      ['/books?select=id,authors!inner(name)&authors.name=eq.Bo', [{ id: 3, authors: { name: 'Bo' } }]],
      ['/books?select=id,author_id(name)&id=eq.1', [{ id: 1, author_id: { name: 'Ada' } }]],
      ['/books?select=id,authors!books_author_id_fkey(name)&id=eq.1', [{ id: 1, authors: { name: 'Ada' } }]],
      ['/authors?select=name,books(title)&order=id&books.order=title.desc', [
        { name: 'Ada', books: [{ title: 'Snow' }, { title: 'Sea, the' }] },
        { name: 'Bo', books: [{ title: 'River' }] },
        { name: 'Cy', books: [] },
      ]],
      ['/authors?select=name,books(title)&books.limit=1&books.offset=1&books.order=id&id=eq.1', [
        { name: 'Ada', books: [{ title: 'Sea, the' }] },
      ]],
      ['/authors?select=name,books!inner()&order=id', [{ name: 'Ada' }, { name: 'Bo' }]],
      ['/authors?select=name,books()&books=is.null', [{ name: 'Cy' }]],
      ['/authors?select=name,books()&books=not.is.null&order=id', [{ name: 'Ada' }, { name: 'Bo' }]],
      ['/authors?select=name,books()&or=(books.is.null,name.eq.Ada)&order=id', [{ name: 'Ada' }, { name: 'Cy' }]],
      ['/books?select=title,tags(label)&id=eq.1&tags.order=label', [{ title: 'Snow', tags: [{ label: 'new' }, { label: 'old' }] }]],
      ['/books?select=title,tags!book_tags(label)&id=eq.2', [{ title: 'Sea, the', tags: [] }]],
      ['/authors?select=name,biographies(text)&id=eq.1', [{ name: 'Ada', biographies: { text: 'Long' } }]],
      ['/biographies?select=text,authors(name,books(id))&authors.books.order=id', [
        { text: 'Long', authors: { name: 'Ada', books: [{ id: 1 }, { id: 2 }] } },
      ]],
      ['/authors?select=name,mentor_id(name)&id=eq.2', [{ name: 'Bo', mentor_id: { name: 'Ada' } }]],
      ['/authors?select=name,pupils:authors(name)&id=eq.1', [{ name: 'Ada', pupils: [{ name: 'Bo' }] }]],
      ['/books?select=id,...authors(name)&order=id&limit=1', [{ id: 1, name: 'Ada' }]],
      ['/books?select=id,...authors(name,...biographies(text))&id=in.(1,4)&order=id', [
        { id: 1, name: 'Ada', text: 'Long' }, { id: 4, name: null, text: null },
      ]],
      ['/authors?select=name,...books(title,id)&books.order=id&order=id', [
        { name: 'Ada', title: ['Snow', 'Sea, the'], id: [1, 2] },
        { name: 'Bo', title: ['River'], id: [3] },
        { name: 'Cy', title: [], id: [] },
      ]],
      ['/authors?select=name,...books!inner(title)&id=eq.3', []],
      ['/books?select=title,authors(name)&order=authors(name).desc,id&author_id=not.is.null', [
        { title: 'River', authors: { name: 'Bo' } },
        { title: 'Snow', authors: { name: 'Ada' } },
        { title: 'Sea, the', authors: { name: 'Ada' } },
      ]],
      ['/books?select=title,authors(id)&order=authors(name).desc.nullslast,id&limit=1', [{ title: 'River', authors: { id: 2 } }]],
      ['/books?select=title,...authors(id)&order=authors(name).desc.nullslast,id&limit=1', [{ title: 'River', id: 2 }]],
      ['/authors?select=name,best_books(title)&id=eq.1', [{ name: 'Ada', best_books: [{ title: 'Snow' }] }]],
      ['/book_list?select=title,authors(name)&id=eq.1', [{ title: 'Snow', authors: { name: 'Ada' } }]],
      ['/authors?select=name,book_list(title)&id=eq.2', [{ name: 'Bo', book_list: [{ title: 'River' }] }]],
      ['/book_list_again?select=title,authors(name)&id=eq.1', [{ title: 'Snow', authors: { name: 'Ada' } }]],
    ])('%s', async (path, expected) => {
      expect(await rows(path)).toEqual(expected);
    });

    it.each([
      ['/books?select=*,nothing(*)', [400, 'PGRST200']],
      ['/books?select=*,authors!nothing(*)', [400, 'PGRST200']],
      [`/books?select=*,authors!fk";--(id)`, [400, 'PGRST100']],
      ['/loans?select=*,authors(*)', [300, 'PGRST201']],
      ['/authors?select=*,books(*)&order=books(title)', [400, 'PGRST118']],
      ['/books?select=*,authors(nothing)', [400, '42703']],
      ['/books?select=a:authors(b:books(a:authors(b:books(a:authors(b:books(id))))))', [400, 'PGRST100']],
    ])('refuses %s', async (path, expected) => {
      expect(await refused(path)).toEqual(expected);
    });

    it('describes every relationship of an ambiguous embed', async () => {
      const { body } = await data.ask('/loans?select=*,authors(*)');
      expect(body).toMatchObject({
        message: "Could not embed because more than one relationship was found for 'loans' and 'authors'",
        details: [
          { cardinality: 'many-to-one', embedding: 'loans with authors', relationship: 'loans_giver_fkey using loans(giver) and authors(id)' },
          { cardinality: 'many-to-one', embedding: 'loans with authors', relationship: 'loans_taker_fkey using loans(taker) and authors(id)' },
        ],
        hint: expect.stringContaining("'authors!loans_giver_fkey', 'authors!loans_taker_fkey'"),
      });
      expect(await rows('/loans?select=giver:authors!giver(name),taker:authors!loans_taker_fkey(name)')).toEqual([
        { giver: { name: 'Ada' }, taker: { name: 'Bo' } },
      ]);
    });
  });

  describe('aggregates', () => {
    it.each([
      ['/books?select=count()', [{ count: 4 }]],
      ['/books?select=author_id,id.sum()&order=author_id', [
        { author_id: 1, sum: 3 }, { author_id: 2, sum: 3 }, { author_id: null, sum: 4 },
      ]],
      ['/books?select=title:author_id,n:count()&order=author_id', [{ title: 1, n: 2 }, { title: 2, n: 1 }, { title: null, n: 1 }]],
      ['/books?select=facts->>genre,id.max()::text&facts->>genre=eq.winter', [{ genre: 'winter', max: '1' }]],
      ['/books?select=...authors(name),id.count()&author_id=not.is.null&order=authors(name)', [
        { name: 'Ada', count: 2 }, { name: 'Bo', count: 1 },
      ]],
      ['/books?select=in_print,...authors(id.max())&order=in_print.nullslast', [
        { in_print: false, max: 2 }, { in_print: true, max: 1 }, { in_print: null, max: null },
      ]],
      ['/authors?select=name,books(id.sum())&order=id&limit=1', [{ name: 'Ada', books: [{ sum: 3 }] }]],
    ])('%s', async (path, expected) => {
      expect(await rows(path)).toEqual(expected);
    });

    it('refuses aggregates of a to-many spread', async () => {
      expect(await refused('/authors?select=name,...books(id.sum())')).toEqual([400, 'PGRST127']);
    });
  });

  describe('forms of answers', () => {
    const object = 'application/vnd.pgrst.object+json';
    it('C264 C270 answers one object or 406 PGRST116', async () => {
      const one = await data.ask('/books?id=eq.1&select=id', { headers: { Accept: object } });
      expect([one.status, one.body, one.headers.get('content-type')]).toEqual([200, { id: 1 }, `${object}; charset=utf-8`]);
      for (const [query, count] of [['id=eq.9', 0], ['id=lt.3', 2]] as const) {
        const answer = await data.ask(`/books?${query}`, { headers: { Accept: object } });
        expect(answer.status).toBe(406);
        expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
        expect(answer.body).toEqual({
          code: 'PGRST116',
          message: 'Cannot coerce the result to a single JSON object',
          details: `The result contains ${count} rows`,
          hint: null,
        });
      }
    });

    it('leaves null keys out on demand', async () => {
      const array = await data.ask('/books?id=eq.4&select=id,author_id', {
        headers: { Accept: 'application/vnd.pgrst.array+json;nulls=stripped' },
      });
      expect([array.body, array.headers.get('content-type')]).toEqual([
        [{ id: 4 }],
        'application/vnd.pgrst.array+json;nulls=stripped; charset=utf-8',
      ]);
      const single = await data.ask('/books?id=eq.4&select=id,author_id', { headers: { Accept: `${object};nulls=stripped` } });
      expect(single.body).toEqual({ id: 4 });
    });

    it('answers CSV', async () => {
      const { text, headers } = await data.ask('/books?select=id,title,author_id&order=id', { headers: { Accept: 'text/csv' } });
      expect(text).toBe('id,title,author_id\n1,Snow,1\n2,"Sea, the",1\n3,River,2\n4,Untold,');
      expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    });

    it('refuses other forms, plans included', async () => {
      for (const accept of ['image/png', 'application/vnd.pgrst.plan+json']) {
        const { status, body } = await data.ask('/books', { headers: { Accept: accept } });
        expect([status, (body as { code: string }).code]).toEqual([406, 'PGRST107']);
      }
      const { status } = await data.ask('/books', { headers: { Accept: 'image/png;q=0.9, */*;q=0.1' } });
      expect(status).toBe(200);
    });
  });
});
