/** The writes of `differential-cases.ts`. Each one is rolled back. */
import { form, object, represent, intentionallyStricter, type Case } from './differential-cases.ts';

const jsonWrites: Case[] = [
  {
    path: '/grammar',
    body: { id: 3, limit: 1, select: 's', 'a.b': 'x', 'a,b': 'y', 'a"b': 'z' },
    headers: represent,
  },
  {
    path: '/grammar?columns=id,%22limit%22,%22a.b%22,%22a,b%22',
    body: [{ id: 3, limit: 1, 'a.b': 'x', 'a,b': 'y', order: 'ignored' }],
    headers: represent,
  },
  {
    path: '/grammar?on_conflict=%22on_conflict%22',
    body: { id: 1, on_conflict: 'k1', columns: 'new' },
    headers: { Prefer: 'resolution=merge-duplicates,return=representation,tx=rollback' },
  },
  { path: '/grammar?%22limit%22=eq.2', method: 'PATCH', body: { offset: 5, or: 'w' }, headers: represent },
  { path: '/grammar?%22select%22=eq.none', method: 'PATCH', body: { limit: 5 }, headers: represent },
  { path: '/order?%22limit%22=eq.3', method: 'DELETE', headers: represent },
  {
    path: '/order',
    body: { limit: 9 },
    headers: { Prefer: 'return=headers-only,tx=rollback' },
    differs: 'Location quotes the name, so that it leads to the row',
  },
  {
    path: '/order?%22limit%22=eq.1',
    method: 'PUT',
    body: { limit: 1, 'select.all': 'n' },
    headers: represent,
    differs: 'a quoted name identifies the row of a PUT',
  },
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
        path: '/biographies?author_id=gt.0&order=author_id&limit=1',
        method,
        body: { text: 'N' },
        headers: represent,
        differs: `${intentionallyStricter}: since PostgREST 13 such a limit has no effect, and more rows would be written`,
      },
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
        differs: intentionallyStricter,
      },
    ])
    .map((one) =>
      one.path.includes('book_tags') && one.method === 'PATCH' ? { ...one, body: { label: 'gone' } } : one,
    ),
  { path: '/biographies?author_id=eq.1', method: 'PATCH', body: {}, headers: represent },
  { path: '/biographies?author_id=eq.1', method: 'PATCH', body: { nothing: 1 }, headers: represent },
];

const csv = { 'Content-Type': 'text/csv', ...represent };
const merge = { ...csv, Prefer: 'resolution=merge-duplicates,return=representation,tx=rollback' };

const puts: Case[] = [
  ['/tags?label=eq.x', { label: 'x' }],
  ['/tags?label=eq.new', { label: 'new' }],
  ['/biographies?author_id=eq.1', { author_id: 1, text: 'N' }],
  ['/biographies?author_id=eq.2&select=text,authors(name)', { author_id: 2, text: 'N' }],
  ['/biographies?author_id=eq.2&columns=author_id', { author_id: 2, text: 'N' }],
  ['/biographies?author_id=eq.1', [{ author_id: 1, text: 'N' }]],
  [
    '/biographies?author_id=eq.1',
    [
      { author_id: 1, text: 'N' },
      { author_id: 2, text: 'M' },
    ],
  ],
  ['/book_tags?book_id=eq.1&label=eq.new', { book_id: 1, label: 'new' }],
  ['/book_tags?label=eq.old&book_id=eq.2', { book_id: 2, label: 'old' }],
  ['/book_tags?book_id=eq.1', { book_id: 1, label: 'new' }],
  ['/biographies?author_id=eq.1', { author_id: 2, text: 'N' }],
  ['/biographies?author_id=eq.1&author_id=eq.2', { author_id: 1, text: 'N' }],
  ['/biographies?author_id=eq.1&text=eq.Long', { author_id: 1, text: 'N' }],
  ['/biographies?author_id=not.eq.1', { author_id: 2, text: 'N' }],
  ['/biographies?author_id=in.(1)', { author_id: 1, text: 'N' }],
  ['/biographies?author_id=eq(any).{1}', { author_id: 1, text: 'N' }],
  ['/biographies?or=(author_id.eq.1)', { author_id: 1, text: 'N' }],
  ['/biographies?author_id=eq.1&limit=1', { author_id: 1, text: 'N' }],
  ['/biographies?author_id=eq.1&offset=1', { author_id: 1, text: 'N' }],
  ['/biographies', { author_id: 1, text: 'N' }],
  ['/biographies?author_id=eq.x', { author_id: 1, text: 'N' }],
  ['/biographies?author_id=eq.1', { author_id: 1, nothing: 'N' }],
  ['/biographies?author_id=eq.1', { author_id: 1, text: null }],
  ['/biographies?author_id=eq.1', { text: 'N' }, 'a missing key is no unknown column'],
  ['/biographies?author_id=eq.1', [], 'a missing key is no unknown column'],
  ['/odd%20names?odd%20column=eq.x', { 'odd column': 'x' }],
].flatMap(([path, body, differs]): Case[] =>
  [{ Prefer: 'tx=rollback' }, represent].map((headers) => ({
    path: String(path),
    method: 'PUT',
    headers,
    body,
    ...(typeof differs === 'string' ? { differs } : {}),
  })),
);

const otherBodies: Case[] = [
  { path: '/tags', body: 'label\nx\n"y, z"\n', headers: csv },
  { path: '/biographies', body: 'author_id,text\r\n2,NULL\r\n', headers: csv },
  {
    path: '/books?select=title,price,shelf,loaned,facts',
    body: 'title,price,shelf,loaned,facts\n"a ""b""",1.50,"{a,b}","[2026-01-01,2026-02-01)",{}\n',
    headers: csv,
  },
  { path: '/biographies', body: 'author_id,text\n1,N\n2,M', headers: merge },
  { path: '/tags', body: 'label', headers: csv, differs: 'the first line requires no line break' },
  { path: '/tags', body: 'label\n', headers: csv },
  { path: '/tags', body: '', headers: csv },
  { path: '/tags', body: 'label\nx\n\ny', headers: csv },
  { path: '/biographies', body: 'author_id,text\n2', headers: csv, differs: intentionallyStricter },
  { path: '/biographies', body: 'author_id,text\n2,"x', headers: csv, differs: intentionallyStricter },
  { path: '/tags', body: 'nothing\nx', headers: csv },
  { path: '/biographies?author_id=eq.1', method: 'PATCH', body: 'text\nN', headers: csv },
  { path: '/biographies?author_id=eq.1', method: 'PUT', body: 'author_id,text\n1,N', headers: csv },
  { path: '/tags', body: 'label=x+y%26z', headers: form },
  { path: '/tags', body: 'label=x&label=y', headers: form },
  { path: '/tags', body: 'nothing=x', headers: form },
  { path: '/books?select=title,price', body: 'title=T&price=1.50', headers: form },
  { path: '/biographies?author_id=eq.1', method: 'PATCH', body: 'text=N', headers: form },
  { path: '/tags', body: '<x/>', headers: { 'Content-Type': 'text/xml' } },
];
export const writes: readonly Case[] = [...jsonWrites, ...puts, ...otherBodies];
