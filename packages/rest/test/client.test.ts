/** Calls each method of the published client on the Data API. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PostgrestClient } from '@supabase/postgrest-js';
import { openRestFixture, type RestFixture } from './support/rest-fixture.ts';
import { eachEngine } from '@lanternrock/testing/engines';
import { libraryScript } from './support/library-schema.ts';

const script = `${libraryScript}
  create function public.add(a integer, b integer) returns integer language sql immutable as 'select a + b';
  grant execute on function public.add(integer, integer) to service_role;
`;

eachEngine('the published client', (engine) => {
  let data: RestFixture;
  let client: PostgrestClient;
  beforeAll(async () => {
    data = await openRestFixture(engine, script);
    client = data.client();
  });
  afterAll(async () => data.close());

  describe('reads', () => {
    it('lists rows in order, with a count', { tags: ['C250'] }, async () => {
      const {
        data: rows,
        count,
        status,
      } = await client
        .from('books')
        .select('id, title', { count: 'exact' })
        .order('id', { ascending: false })
        .range(0, 1);
      expect([rows, count, status]).toEqual([
        [
          { id: 4, title: 'Untold' },
          { id: 3, title: 'River' },
        ],
        4,
        206,
      ]);
      expect(await client.from('books').select('*', { count: 'exact', head: true })).toMatchObject({
        count: 4,
        data: null,
        error: null,
      });
    });

    it('reads single rows', { tags: ['C248', 'C252', 'C260', 'C270'] }, async () => {
      expect((await client.from('books').select('title').eq('id', 1).single()).data).toEqual({
        title: 'Snow',
      });
      expect((await client.from('books').select('title').eq('id', 9).maybeSingle()).data).toBeNull();
      expect((await client.from('books').select('title').limit(1).maybeSingle()).data).toEqual({
        title: 'Snow',
      });
      const books = client.from('books').select('*');
      expect(await books.eq('id', 9).single()).toMatchObject({ status: 406, error: { code: 'PGRST116' } });
      const rowsBelow3 = client.from('books').select('*').lt('id', 3);
      expect(await rowsBelow3.single()).toMatchObject({ status: 406, error: { code: 'PGRST116' } });
    });

    it('embeds relations', { tags: ['C253'] }, async () => {
      const { data: rows } = await client
        .from('books')
        .select('title, authors!inner ( name )')
        .eq('authors.name', 'Ada')
        .order('title', { referencedTable: undefined });
      expect(rows).toEqual([
        { title: 'Sea, the', authors: { name: 'Ada' } },
        { title: 'Snow', authors: { name: 'Ada' } },
      ]);
      const nested = await client
        .from('authors')
        .select('name, books (title)')
        .order('title', { referencedTable: 'books' })
        .limit(1, { referencedTable: 'books' })
        .eq('id', 1);
      expect(nested.data).toEqual([{ name: 'Ada', books: [{ title: 'Sea, the' }] }]);
    });

    it('counts rows with a bare count while aggregates are disabled', async () => {
      expect((await client.from('books').select('count').single()).data).toEqual({ count: 4 });
      expect(
        await client.from('books').select('count', { count: 'exact', head: true }).eq('author_id', 1),
      ).toMatchObject({ count: 2, error: null });
      const works = client.from('authors').select('name, works:books(n:count::text)').order('id');
      expect((await works.limit(2)).data).toEqual([
        { name: 'Ada', works: [{ n: '2' }] },
        { name: 'Bo', works: [{ n: '1' }] },
      ]);
      expect((await client.from('tags').select('label, ...books(count)')).data).toEqual([
        { label: 'new', count: [1] },
        { label: 'old', count: [1] },
      ]);
      expect((await client.from('books').select('title, count')).error?.code).toBe('42803');
      expect((await client.from('books').select('count()')).error?.code).toBe('PGRST123');
      expect((await client.from('books').select('count').gt('count', 1)).error?.code).toBe('42703');
    });

    it('rejects two embeds with the same name, and returns an embed with the name of a column', async () => {
      const rejected = [
        client.from('authors').select('name, books(id), books(title)'),
        client.from('books').select('title, ...authors(name), authors(id)'),
        client.from('authors').select('a:books(id), a:biographies(text)'),
        client.from('authors').select('name, books(tags(label), tags())'),
      ];
      for (const { error, status } of await Promise.all(rejected))
        expect([status, error?.code]).toEqual([400, '42712']);
      expect(
        (await client.from('books').select('author_id(name), *').eq('id', 1).single()).data,
      ).toMatchObject({ id: 1, author_id: { name: 'Ada' } });
    });

    it('filters', async () => {
      const ids = async (
        query: PromiseLike<{ data: { id: number }[] | null; error: unknown }>,
      ): Promise<unknown> => {
        const { data: rows, error } = await query;
        return error ?? rows?.map(({ id }) => id);
      };
      const books = () => client.from('books').select('id').order('id');
      expect(await ids(books().neq('id', 1).gte('id', 3))).toEqual([3, 4]);
      expect(await ids(books().like('title', 'S%').ilike('title', '%NOW'))).toEqual([1]);
      expect(await ids(books().likeAnyOf('title', ['Sn%', 'Ri%']))).toEqual([1, 3]);
      expect(await ids(books().is('author_id', null))).toEqual([4]);
      expect(await ids(books().in('title', ['Sea, the', 'Snow']))).toEqual([1, 2]);
      expect(await ids(books().contains('shelf', ['a', 'b']))).toEqual([1]);
      expect(await ids(books().containedBy('shelf', ['a', 'b']))).toEqual([1, 2, 3, 4]);
      expect(await ids(books().overlaps('shelf', ['b']))).toEqual([1, 3]);
      expect(await ids(books().contains('facts', { genre: 'winter' }))).toEqual([1]);
      expect(await ids(books().rangeGt('loaned', '[2026-01-15,2026-02-01)'))).toEqual([2]);
      expect(await ids(books().rangeAdjacent('loaned', '[2026-02-01,2026-03-01)'))).toEqual([1]);
      expect(
        await ids(books().textSearch('title', 'snow', { type: 'websearch', config: 'english' })),
      ).toEqual([1]);
      expect(await ids(books().match({ author_id: 1, in_print: true }))).toEqual([1, 2]);
      expect(await ids(books().not('id', 'in', '(1,2)'))).toEqual([3, 4]);
      expect(await ids(books().or('id.eq.1,and(id.gt.2,author_id.not.is.null)'))).toEqual([1, 3]);
      expect(await ids(books().filter('facts->>genre', 'eq', 'summer'))).toEqual([3]);
    });

    it('filters by the other operators', async () => {
      const ids = async (
        query: PromiseLike<{ data: { id: number }[] | null; error: unknown }>,
      ): Promise<unknown> => {
        const { data: rows, error } = await query;
        return error ?? rows?.map(({ id }) => id);
      };
      const books = () => client.from('books').select('id').order('id');
      expect(await ids(books().gt('id', 1).lt('id', 4).lte('id', 2))).toEqual([2]);
      expect(await ids(books().likeAllOf('title', ['S%', '%w']))).toEqual([1]);
      expect(await ids(books().ilikeAllOf('title', ['s%', '%W']))).toEqual([1]);
      expect(await ids(books().ilikeAnyOf('title', ['SN%', 'RI%']))).toEqual([1, 3]);
      expect(await ids(books().regexMatch('title', '^S'))).toEqual([1, 2]);
      expect(await ids(books().regexIMatch('title', '^s'))).toEqual([1, 2]);
      expect(await ids(books().isDistinct('author_id', 1))).toEqual([3, 4]);
      expect(await ids(books().notIn('title', ['Sea, the', 'Snow']))).toEqual([3, 4]);
      expect(await ids(books().rangeLt('loaned', '[2026-08-01,2026-09-01)'))).toEqual([1]);
      expect(await ids(books().rangeLte('loaned', '[2026-01-05,2026-02-01)'))).toEqual([1]);
      expect(await ids(books().rangeGte('loaned', '[2026-01-05,2026-02-01)'))).toEqual([1, 2]);
    });

    it('returns CSV', async () => {
      expect((await client.from('tags').select('label').order('label').csv()).data).toBe('label\nnew\nold');
    });

    it('sets headers and formats', async () => {
      const tag = () => client.from('tags').select('label').eq('label', 'new');
      const profiled = client.schema('public').from('tags').select('label').eq('label', 'new');
      expect(
        (await profiled.setHeader('x-own', '1').retry(false).abortSignal(new AbortController().signal)).data,
      ).toEqual([{ label: 'new' }]);
      expect((await tag().overrideTypes<{ label: string }[]>()).data).toEqual([{ label: 'new' }]);
      // oxlint-disable-next-line no-deprecated -- the client still has this method
      expect((await tag().returns<{ label: string }[]>()).data).toEqual([{ label: 'new' }]);
      expect((await client.from('authors').select('*').eq('id', 1).stripNulls()).data).toEqual([
        { id: 1, name: 'Ada' },
      ]);
      await expect(client.from('nothing').select('*').throwOnError()).rejects.toMatchObject({
        code: 'PGRST205',
      });
    });

    it('returns the OpenAPI document', async () => {
      const { data: described, error } = await client.getOpenApiSpec();
      expect(error).toBeNull();
      expect(described?.paths).toMatchObject({ '/tags': { get: { tags: ['tags'] } } });
    });

    it('rejects unsupported formats', async () => {
      // GeoJSON requires PostGIS, and query plans require the setting PLAN.
      expect((await client.from('tags').select('*').geojson()).error?.code).toBe('PGRST107');
      expect((await client.from('tags').select('*').explain()).error?.code).toBe('PGRST107');
      const other = client.schema('private' as 'public');
      expect((await other.from('audit_log').select('*')).error?.code).toBe('PGRST106');
    });

    it('returns an empty list for an unknown relation', async () => {
      const { error, status } = await client.from('nothing').select('*');
      expect([status, error?.code]).toEqual([404, 'PGRST205']);
    });
  });

  describe('writes', () => {
    it('inserts and returns rows', { tags: ['C251', 'C262', 'C265'] }, async () => {
      expect(await client.from('tags').insert({ label: 'a' })).toMatchObject({
        status: 201,
        data: null,
        error: null,
      });
      expect(
        (
          await client
            .from('tags')
            .insert([{ label: 'b' }, { label: 'c' }])
            .select()
        ).data,
      ).toEqual([{ label: 'b' }, { label: 'c' }]);
      expect((await client.from('tags').insert({ label: 'd' }).select('label').single()).data).toEqual({
        label: 'd',
      });
      expect((await client.from('tags').insert({ label: 'a' })).error).toMatchObject({ code: '23505' });
    });

    it('upserts rows', { tags: ['C265'] }, async () => {
      expect((await client.from('biographies').upsert({ author_id: 1, text: 'New' }).select()).data).toEqual([
        { author_id: 1, text: 'New' },
      ]);
      const ignored = await client
        .from('biographies')
        .upsert([{ author_id: 1, text: 'x' }], { onConflict: 'author_id', ignoreDuplicates: true })
        .select();
      expect(ignored.data).toEqual([]);
      const defaults = await client
        .from('books')
        .insert([{ title: 'n' }], { defaultToNull: false })
        .select('shelf');
      expect(defaults.data).toEqual([{ shelf: [] }]);
    });

    it('updates and deletes', { tags: ['C261', 'C266', 'C267'] }, async () => {
      expect((await client.from('tags').update({ label: 'bb' }).eq('label', 'b').select()).data).toEqual([
        { label: 'bb' },
      ]);
      expect(
        await client.from('tags').update({ label: 'x' }, { count: 'exact' }).eq('label', 'none'),
      ).toMatchObject({ count: 0, status: 204 });
      expect(
        (await client.from('tags').update({ label: 'x' }).eq('label', 'none').select().single()).error?.code,
      ).toBe('PGRST116');
      expect((await client.from('tags').delete({ count: 'exact' }).eq('label', 'bb')).count).toBe(1);
      // The types of the client require a server version for this method.
      const limitedDelete = client.from('tags').delete().in('label', ['c', 'd']) as unknown as {
        maxAffected(rows: number): PromiseLike<{ error: { code: string } | null }>;
      };
      expect((await limitedDelete.maxAffected(1)).error?.code).toBe('PGRST124');
      expect(
        (await client.from('tags').delete().in('label', ['c', 'd']).select().order('label')).data,
      ).toEqual([{ label: 'c' }, { label: 'd' }]);
    });
  });

  it('rolls back on request if TX_OVERRIDE is on', async () => {
    const withOverride = await openRestFixture(engine, script, { settings: { TX_OVERRIDE: true } });
    try {
      const { data: rows } = await withOverride
        .client()
        .from('tags')
        .insert({ label: 'z' })
        .rollback()
        .select();
      expect(rows).toEqual([{ label: 'z' }]);
      expect((await withOverride.client().from('tags').select('*').eq('label', 'z')).data).toEqual([]);
    } finally {
      await withOverride.close();
    }
  });

  it('calls functions with POST, GET and HEAD', { tags: ['C268'] }, async () => {
    expect((await client.rpc('add', { a: 1, b: 2 })).data).toBe(3);
    expect((await client.rpc('add', { a: 1, b: 2 }, { get: true })).data).toBe(3);
    expect(await client.rpc('add', { a: 1, b: 2 }, { head: true, count: 'exact' })).toMatchObject({
      count: 1,
      data: null,
    });
    expect((await client.rpc('nothing')).error?.code).toBe('PGRST202');
  });
});
