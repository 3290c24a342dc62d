import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eachEngine } from '@lanternrock/testing/engines';
import { openLibrary, type Library } from './support/library-schema.ts';

eachEngine('embeds and aggregates', (engine) => {
  let data: Library;
  beforeAll(async () => {
    data = await openLibrary(engine);
  });
  afterAll(() => data.close());

  describe('embeds', () => {
    it.each([
      ['/books?select=id,authors(name)&order=id&limit=1', [{ id: 1, authors: { name: 'Ada' } }]],
      ['/books?select=id,authors(name)&id=eq.4', [{ id: 4, authors: null }]],
      [
        '/books?select=id,writer:authors(name)&writer.name=eq.Bo&order=id',
        [
          { id: 1, writer: null },
          { id: 2, writer: null },
          { id: 3, writer: { name: 'Bo' } },
          { id: 4, writer: null },
        ],
      ],
      ['/books?select=id,authors!inner(name)&authors.name=eq.Bo', [{ id: 3, authors: { name: 'Bo' } }]],
      ['/books?select=id,author_id(name)&id=eq.1', [{ id: 1, author_id: { name: 'Ada' } }]],
      ['/books?select=id,authors!books_author_id_fkey(name)&id=eq.1', [{ id: 1, authors: { name: 'Ada' } }]],
      [
        '/authors?select=name,books(title)&order=id&books.order=title.desc',
        [
          { name: 'Ada', books: [{ title: 'Snow' }, { title: 'Sea, the' }] },
          { name: 'Bo', books: [{ title: 'River' }] },
          { name: 'Cy', books: [] },
        ],
      ],
      [
        '/authors?select=name,books(title)&books.limit=1&books.offset=1&books.order=id&id=eq.1',
        [{ name: 'Ada', books: [{ title: 'Sea, the' }] }],
      ],
      ['/authors?select=name,books!inner()&order=id', [{ name: 'Ada' }, { name: 'Bo' }]],
      ['/authors?select=name,books()&books=is.null', [{ name: 'Cy' }]],
      ['/authors?select=name,books()&books=not.is.null&order=id', [{ name: 'Ada' }, { name: 'Bo' }]],
      [
        '/authors?select=name,books()&or=(books.is.null,name.eq.Ada)&order=id',
        [{ name: 'Ada' }, { name: 'Cy' }],
      ],
      [
        '/books?select=title,tags(label)&id=eq.1&tags.order=label',
        [{ title: 'Snow', tags: [{ label: 'new' }, { label: 'old' }] }],
      ],
      ['/books?select=title,tags!book_tags(label)&id=eq.2', [{ title: 'Sea, the', tags: [] }]],
      ['/authors?select=name,biographies(text)&id=eq.1', [{ name: 'Ada', biographies: { text: 'Long' } }]],
      [
        '/biographies?select=text,authors(name,books(id))&authors.books.order=id',
        [{ text: 'Long', authors: { name: 'Ada', books: [{ id: 1 }, { id: 2 }] } }],
      ],
      ['/authors?select=name,mentor_id(name)&id=eq.2', [{ name: 'Bo', mentor_id: { name: 'Ada' } }]],
      ['/authors?select=name,pupils:authors(name)&id=eq.1', [{ name: 'Ada', pupils: [{ name: 'Bo' }] }]],
      ['/books?select=id,...authors(name)&order=id&limit=1', [{ id: 1, name: 'Ada' }]],
      [
        '/books?select=id,...authors(name,...biographies(text))&id=in.(1,4)&order=id',
        [
          { id: 1, name: 'Ada', text: 'Long' },
          { id: 4, name: null, text: null },
        ],
      ],
      [
        '/authors?select=name,...books(title,id)&books.order=id&order=id',
        [
          { name: 'Ada', title: ['Snow', 'Sea, the'], id: [1, 2] },
          { name: 'Bo', title: ['River'], id: [3] },
          { name: 'Cy', title: [], id: [] },
        ],
      ],
      ['/authors?select=name,...books!inner(title)&id=eq.3', []],
      [
        '/books?select=title,authors(name)&order=authors(name).desc,id&author_id=not.is.null',
        [
          { title: 'River', authors: { name: 'Bo' } },
          { title: 'Snow', authors: { name: 'Ada' } },
          { title: 'Sea, the', authors: { name: 'Ada' } },
        ],
      ],
      [
        '/books?select=title,authors(id)&order=authors(name).desc.nullslast,id&limit=1',
        [{ title: 'River', authors: { id: 2 } }],
      ],
      [
        '/books?select=title,...authors(id)&order=authors(name).desc.nullslast,id&limit=1',
        [{ title: 'River', id: 2 }],
      ],
      // Names that the statement also uses internally.
      ['/books?select=id,...authors(matched:name)&order=id&limit=1', [{ id: 1, matched: 'Ada' }]],
      [
        '/books?select=id,...authors(order0:name,order0_:name)&order=authors(id),id&limit=1',
        [{ id: 1, order0: 'Ada', order0_: 'Ada' }],
      ],
      [
        '/authors?select=id,...books(matched:title)&books=not.is.null&books.order=id&order=id&limit=1',
        [{ id: 1, matched: ['Snow', 'Sea, the'] }],
      ],
      [
        '/books?select=_t:price,authors(x3:id,x4:name)&id=in.(2,4)&order=id',
        [
          { _t: 2, authors: { x3: 1, x4: 'Ada' } },
          { _t: null, authors: null },
        ],
      ],
      ['/authors?select=name,best_books(title)&id=eq.1', [{ name: 'Ada', best_books: [{ title: 'Snow' }] }]],
      [
        '/biographies?select=text,authors(id,books(id))&order=authors(name)&authors.books.order=id',
        [{ text: 'Long', authors: { id: 1, books: [{ id: 1 }, { id: 2 }] } }],
      ],
      [
        '/authors?select=books(title,tags(label))&order=name.desc&limit=1&offset=2&books.limit=1&books.order=id.desc',
        [{ books: [{ title: 'Sea, the', tags: [] }] }],
      ],
      ['/book_list?select=title,authors(name)&id=eq.1', [{ title: 'Snow', authors: { name: 'Ada' } }]],
      ['/authors?select=name,book_list(title)&id=eq.2', [{ name: 'Bo', book_list: [{ title: 'River' }] }]],
      ['/book_list_again?select=title,authors(name)&id=eq.1', [{ title: 'Snow', authors: { name: 'Ada' } }]],
    ])('%s', async (path, expected) => {
      expect(await data.rows(path)).toEqual(expected);
    });

    it.each([
      ['/books?select=*,nothing(*)', [400, 'PGRST200']],
      ['/books?select=*,authors!nothing(*)', [400, 'PGRST200']],
      [`/books?select=*,authors!fk";--(id)`, [400, 'PGRST100']],
      ['/loans?select=*,authors(*)', [300, 'PGRST201']],
      ['/authors?select=*,books(*)&order=books(title)', [400, 'PGRST118']],
      ['/books?select=*,authors(nothing)', [400, '42703']],
      ['/books?select=a:authors(b:books(a:authors(b:books(a:authors(b:books(id))))))', [400, 'PGRST100']],
    ])('rejects %s', async (path, expected) => {
      expect(await data.readError(path)).toEqual(expected);
    });

    it('lists all relationships of an ambiguous embed', async () => {
      const { body } = await data.request('/loans?select=*,authors(*)');
      expect(body).toMatchObject({
        message: "Could not embed because more than one relationship was found for 'loans' and 'authors'",
        details: [
          {
            cardinality: 'many-to-one',
            embedding: 'loans with authors',
            relationship: 'loans_giver_fkey using loans(giver) and authors(id)',
          },
          {
            cardinality: 'many-to-one',
            embedding: 'loans with authors',
            relationship: 'loans_taker_fkey using loans(taker) and authors(id)',
          },
        ],
        hint: expect.stringContaining("'authors!loans_giver_fkey', 'authors!loans_taker_fkey'"),
      });
      expect(
        await data.rows('/loans?select=giver:authors!giver(name),taker:authors!loans_taker_fkey(name)'),
      ).toEqual([{ giver: { name: 'Ada' }, taker: { name: 'Bo' } }]);
    });
  });

  describe('aggregates', () => {
    it.each([
      ['/books?select=count()', [{ count: 4 }]],
      [
        '/books?select=author_id,id.sum()&order=author_id',
        [
          { author_id: 1, sum: 3 },
          { author_id: 2, sum: 3 },
          { author_id: null, sum: 4 },
        ],
      ],
      [
        '/books?select=title:author_id,n:count()&order=author_id',
        [
          { title: 1, n: 2 },
          { title: 2, n: 1 },
          { title: null, n: 1 },
        ],
      ],
      ['/books?select=facts->>genre,id.max()::text&facts->>genre=eq.winter', [{ genre: 'winter', max: '1' }]],
      [
        '/books?select=...authors(name),id.count()&author_id=not.is.null&order=authors(name)',
        [
          { name: 'Ada', count: 2 },
          { name: 'Bo', count: 1 },
        ],
      ],
      [
        '/books?select=in_print,...authors(id.max())&order=in_print.nullslast',
        [
          { in_print: false, max: 2 },
          { in_print: true, max: 1 },
          { in_print: null, max: null },
        ],
      ],
      [
        '/books?select=id.count(),...tags(label)&tags.order=label&id=eq.1',
        [{ count: 1, label: ['new', 'old'] }],
      ],
      ['/authors?select=name,books(id.sum())&order=id&limit=1', [{ name: 'Ada', books: [{ sum: 3 }] }]],
    ])('%s', async (path, expected) => {
      expect(await data.rows(path)).toEqual(expected);
    });

    it('rejects aggregates of a to-many spread', async () => {
      expect(await data.readError('/authors?select=name,...books(id.sum())')).toEqual([400, 'PGRST127']);
    });
  });
});
