/**
 * Requests that this service and PostgREST 12.0.2 must respond to equally, over the tables of
 * `library-schema.ts`. A difference is listed with its reason: a later contract version, or an intentionally
 * stricter rule.
 */
import { libraryScript } from './library-schema.ts';
import type { PostgrestRequest } from '@lanternrock/testing/postgrest';

export const differentialScript = `${libraryScript}
  create function public.add(a integer, b integer default 10) returns integer language sql immutable as 'select a + b';
  create function public.table_of(up_to integer) returns table (n integer, square integer)
    language sql stable as 'select i, i * i from generate_series(1, up_to) i';
  create function public.find_books(wanted text) returns setof public.books
    language sql stable as 'select * from public.books where title ilike wanted';
  create function public.total(variadic amounts integer[]) returns integer
    language sql immutable as 'select sum(x)::int from unnest(amounts) x';
  create function public.whole_text(text) returns text language sql immutable as 'select $1';
  create function public.whole_bytes(bytea) returns integer language sql immutable as 'select octet_length($1)';
  create type public.mood as enum ('good', 'bad');
  create domain public.short as varchar(7) not null;
  create table public.kinds (
    id uuid primary key default gen_random_uuid(), mood public.mood default 'good', v varchar(5), s public.short,
    n integer default 3, b boolean default true, t text default 'x', at timestamptz default now(), j jsonb default '{}', c char(3)
  );
  comment on table public.kinds is E'Kinds\n\nof things';
  comment on column public.kinds.mood is 'how it is';
  comment on column public.kinds.id is 'which it is';
  comment on function public.add(integer, integer) is E'Adds\nnumbers';
  create table public.grammar (
    id integer primary key, "limit" integer, "offset" integer, "select" text, "order" text, "and" text, "or" text, "not" text,
    "columns" text, "on_conflict" text unique, "a.b" text, "a,b" text, "a(b)" text, "a b" text, "a::b" text, "a->b" text,
    "a""b" text, "inner" integer references public.grammar, "count" text
  );
  insert into public.grammar values
    (1, 1, 10, 's', 'o', 'x', 'y', 'n', 'c', 'k1', 'dot', 'comma', 'paren', 'space', 'cast', 'arrow', 'quote', null, 'z'),
    (2, 2, 20, 't', 'p', 'y', 'x', 'm', 'd', 'k2', 'd', 'c', 'p', 's', 'c', 'a', 'q', 1, 'y');
  create table public."order" ("limit" integer primary key, "select.all" text, grammar_id integer references public.grammar);
  insert into public."order" values (1, 'one', 1), (2, 'two', 1), (3, 'three', 2);
  grant all on public.grammar, public."order" to service_role;
  grant all on public.kinds to service_role;
  create function public.nothing() returns void language sql stable as 'select null';
  grant execute on all functions in schema public to service_role;
  grant usage on schema public to service_role;
  create function public.secret_call(a integer) returns integer language sql immutable as 'select a';
  revoke execute on function public.secret_call(integer) from public, service_role;
`;

export interface Case extends PostgrestRequest {
  /** Reason of the difference, if there is one. */
  readonly differs?: string;
}

const newer = 'behavior of PostgREST 13 and later';
export const intentionallyStricter = 'intentionally rejected';
const exact = { Prefer: 'count=exact' };
export const represent = { Prefer: 'return=representation,tx=rollback' };
export const object = { Accept: 'application/vnd.pgrst.object+json' };
export const form = { 'Content-Type': 'application/x-www-form-urlencoded', ...represent };

export const reads: Case[] = [
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
    'select=id,...authors(name)&authors=is.null&order=id',
    'select=id,...authors(name)&authors=not.is.null&order=id',
    'select=id,...author_id(name)&or=(author_id.is.null,id.eq.1)&author_id.name=eq.Bo&order=id',
    'select=id.count(),...authors(name)&authors=not.is.null&order=authors(name)',
    'select=id.count(),...authors(name)&authors=not.is.null',
    'select=title,authors(name)&order=authors(name).desc.nullslast,id',
    'select=count()',
    'select=author_id,id.sum()&order=author_id',
    'select=in_print,...authors(id.max())&order=in_print.nullslast',
    'select=id.max()::text',
    'select=count',
    'select=rows:count::text,count&id=gt.2',
    'select=count,authors!inner()',
    'select=id,authors(count)&order=id',
    'select=id,...authors(count)&order=id',
    'select=title,count',
    'select=*,count',
    'select=count,tags(label)',
    'select=author_id(name),author_id&id=eq.1',
    'select=title,title,id:title&id=eq.1',
    'select=id,authors(name),authors(id)',
    'select=id,...authors(name),authors(id)',
    'select=id,...authors(name),...authors(mentor_id)',
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
    'select=name,books(count)&order=id',
    'select=name,books(n:count::text)&books.title=like.S*&order=id',
    'select=name,books!inner(count)&order=id',
    'select=name,book_list(count)&order=id',
    'select=name,books(tags(count))&order=id&books.order=id',
    'select=name,books(id,count)&order=id',
  ].map((query): Case => ({ path: `/authors?${query}` })),
  { path: '/authors?select=name,...books(title)&order=id', differs: newer },
  { path: '/books?select=count', headers: exact },
  { path: '/books?select=count', headers: object },
  {
    path: '/books?select=count&count=gt.1',
    differs: 'a bare count can be selected, but not used in a filter or an order',
  },
  {
    path: '/authors?select=name,books(id),books(title)',
    differs: 'PostgREST returns a different code for to-many embeds',
  },
  {
    path: '/authors?select=id,books(id),works:books(id)&books.limit=1&books.order=id&works.order=id&order=id',
    differs:
      'in a filter, the output name of an embed takes precedence over the relation of an aliased embed',
  },
  {
    path: '/authors?select=id,books!inner(id)&books.order=id&books.offset=6&order=id',
    headers: exact,
    differs: 'the total is the number of all visible rows, on any page',
  },
  {
    path: '/books?select=author_id,count()&order=author_id',
    headers: exact,
    differs: 'the total is the number of visible groups',
  },
  {
    path: '/authors?select=books(facts->tags->>0)&id=eq.1&books.order=id',
    differs: 'digits before a parenthesis are an array index, as in other positions',
  },
  {
    path: '/authors?select=id,biographies(*,authors(*)),best_books(id)&order=id',
    differs: 'PostgREST returns rows of the wrong parent for a computed relationship',
  },
  {
    path: '/books?select=id,authors(n:name)&order=authors(id).desc,id',
    differs: 'a parent can be ordered by a column of an embed that is not selected',
  },
  { path: '/books?title=fts(simple).again&order=id', differs: newer },
  {
    path: '/books?title=not.in.("")&order=id',
    differs: 'a quoted empty text is an element; PostgREST parses it as an empty list',
  },
  { path: '/books?limit=0&offset=1', differs: 'an empty page is valid at any offset' },
  ...[
    '"limit"=eq.1',
    '"limit"=gt.0&limit=1&order=id',
    '"offset"=eq.20',
    '"select"=eq.s',
    '"select"=eq.s&select=id',
    '"order"=eq.p&order=id.desc',
    '"and"=eq.x',
    '"or"=eq.x',
    '"not"=eq.n',
    'not=eq.n',
    '"columns"=eq.c',
    '"on_conflict"=eq.k2',
    '"a.b"=eq.dot',
    '"a,b"=eq.comma',
    '"a(b)"=eq.paren',
    '"a b"=eq.space',
    'a b=eq.space',
    '"a::b"=eq.cast',
    '"a->b"=eq.arrow',
    '"a\\"b"=eq.quote',
    'select="limit","select","a.b","a,b","a(b)","a b","a::b","a->b","a\\"b","order","and","or","not"&order=id',
    'select=id,"select":"limit","order.x":"a.b"&order=id',
    'order="order".desc',
    'order="limit".desc,"a.b"',
    'order="offset".desc.nullslast',
    'or=("limit".eq.2,"and".eq.x)&order=id',
    'or=("or".eq.y,"a.b".eq.d)&order=id',
    'or=(not.eq.n,and.eq.y)&order=id',
    'and=("not".not.eq.n)',
    'not.and=("limit".eq.1,"or".eq.y)',
    'or=("a,b".eq.comma,"a(b)".eq.p)&order=id',
    '"limit"=in.(1,2)&"select"=not.eq.s',
    '"limit=eq.1',
    '"limit"=1',
    '"nothing"=eq.1',
    'select=id,order(limit)&order=id',
    'select=id,order(limit)&order.limit=eq.1',
    'select=id,order(limit)&order.limit=1&order.order=limit.desc&order=id',
    'select=id,order(limit)&order."limit"=eq.2&order=id',
    'select=id,"order"("limit")&"order"."limit"=gt.1&"order".limit=1&order=id',
    'select=id,order("select.all")&order."select.all"=eq.two&order=id',
    'select=id,o:order(limit)&o.or=("limit".eq.1,"limit".eq.3)&order=id&o.order=limit',
    'select=id,o:order(limit)&o.not.or=("limit".eq.1,"limit".eq.3)&order=id',
    'select=id,o:order(limit)&not.o.or=("limit".eq.1,"limit".eq.3)&order=id',
    'select=id,"o.x":order(limit)&"o.x"."limit"=eq.1&order=id',
    'select=id,"o.x":order(limit)&"o.x".order=limit.desc&"o.x".limit=1&order=id',
    'select=id,order!inner(limit)&order."limit"=eq.3',
    'select=id,order()&"order"=is.null',
    'select=id,order()&order=not.is.null',
    'select=id,grammar!"inner"(id)&order=id',
    'select=id,inner(id)&order=id',
    'select=id,"count"&order=id',
  ].map((query): Case => ({ path: `/grammar?${query.replaceAll('"', '%22').replaceAll('>', '%3E')}` })),
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
  {
    path: '/books?select=id,authors(*,mentor_id(*))&authors.mentor_id.id=eq.0&order=id',
    headers: { Accept: 'application/vnd.pgrst.array+json;nulls=stripped' },
    differs:
      'for a column and an embed with the same name, PostgREST omits both in an embed if the embed is null, and one at the root',
  },
  { path: '/books', headers: { Accept: 'image/png' }, differs: newer },
  { path: '/books', headers: { 'Accept-Profile': 'private' } },
  { path: '/nothing', differs: newer },
  { path: '/books/1', differs: newer },
  { path: '/books?select=id::regclass&id=eq.1', differs: intentionallyStricter },
  { path: '/books?select=row_to_json&id=eq.1', differs: intentionallyStricter },
  { path: '/books', headers: { Prefer: 'handling=strict,foo' } },
  { path: '/books?select=(id', differs: intentionallyStricter },
  {
    path: '/books',
    headers: { Prefer: 'timezone=Nowhere' },
    differs: 'PostgREST ignores an unknown time zone',
  },
];

export const calls: Case[] = [
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
  { path: '/rpc/add', body: 'a=1&b=2', headers: form },
  { path: '/rpc/add', body: 'a=x', headers: form },
  { path: '/rpc/add', body: 'c=1', headers: form },
  { path: '/rpc/table_of?n=gt.1&order=n', body: 'up_to=3', headers: { ...form, ...exact } },
  { path: '/rpc/total', body: 'amounts=1&amounts=2', headers: form },
  { path: '/rpc/whole_text', body: '{"a":', headers: { 'Content-Type': 'text/plain' } },
  { path: '/rpc/whole_bytes', body: '\\x00', headers: { 'Content-Type': 'application/octet-stream' } },
  { path: '/rpc/whole_text', body: 'x', headers: { 'Content-Type': 'application/octet-stream' } },
  { path: '/rpc/nothing', body: '', headers: { 'Content-Type': 'text/plain' } },
  { path: '/rpc/add', method: 'PATCH', body: {} },
  {
    path: '/rpc/secret_call',
    method: 'POST',
    body: { a: 1 },
    differs: 'a function that the role cannot call is unknown',
  },
];

/** Errors with the code of PostgREST and another message, details or hint. */
export const texts: Case[] = [
  { path: '/books?select=id,authors(name),authors(id)', differs: 'the embed is named' },
  {
    path: '/rpc/secret_call',
    method: 'POST',
    body: { b: 1 },
    differs: 'no text contains the arguments of a function that the role cannot call',
  },
  { path: '/authors?select=name,best_book(title)', differs: 'the hint can name a computed relationship' },
  { path: '/books?select=id,', differs: 'the position and what is expected' },
];
