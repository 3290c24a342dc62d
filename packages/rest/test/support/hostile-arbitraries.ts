/** Arbitraries of invalid requests for the tables of `library-schema.ts` and a table `own`. */
import fc from 'fast-check';

const column = fc.constantFrom(
  'id',
  'secret',
  'book_id',
  'title',
  'facts',
  'shelf',
  'loaned',
  'author_id',
  'nothing',
  'loud',
  '"',
  'count()',
  'id.sum()',
);
const value = fc.oneof(
  fc.constantFrom(
    '1',
    'x',
    '{a,b}',
    '[1,2)',
    '(1,2)',
    'null',
    '%',
    '*',
    '(a+)+$',
    "'; select pg_sleep(1); --",
    '"',
    '\\',
    '{"a":1}',
    'NaN',
    '99999999999999999999',
  ),
  fc.string({ unit: 'grapheme', maxLength: 6 }),
);
const operator = fc.constantFrom(
  'eq',
  'neq',
  'gt',
  'lt',
  'like',
  'ilike',
  'match',
  'imatch',
  'in',
  'is',
  'isdistinct',
  'cs',
  'cd',
  'ov',
  'sl',
  'adj',
  'fts',
  'wfts(english)',
  'not.eq',
  'eq(any)',
  'like(all)',
  'foo',
);
const path = fc.constantFrom('', '->a', '->>a', '->0', '->a->>b');
const filter = fc
  .tuple(column, path, operator, value)
  .map(
    ([name, negation, op, text]) =>
      `${encodeURIComponent(name + negation)}=${op}.${encodeURIComponent(text)}`,
  );
const item = fc
  .tuple(column, path, fc.constantFrom('', '::text', '::int', '::regclass', '::jsonb'))
  .map((parts) => parts.join(''));
const embed = fc
  .tuple(
    fc.constantFrom('books', 'own', 'authors', '...books', 'books!inner', 'x:books!nothing', 'tags'),
    fc.array(item, { maxLength: 2 }),
  )
  .map(([name, items]) => `${name}(${items.join(',')})`);
/** A query string of grammar tokens, partly in invalid positions. */
export const hostileQuery = fc
  .record({
    select: fc.array(fc.oneof(item, embed, fc.constant('*')), { maxLength: 3 }),
    filters: fc.array(filter, { maxLength: 3 }),
    rest: fc.array(
      fc.oneof(
        fc.constantFrom(
          'limit=1',
          'limit=-1',
          'offset=2',
          'order=id',
          'order=nothing.desc',
          'order=books(title)',
          'books.limit=1',
          'or=(id.eq.1,title.eq.x)',
          'and=()',
        ),
        fc.string({ maxLength: 8 }).map((text) => encodeURIComponent(text)),
      ),
      { maxLength: 3 },
    ),
  })
  .map(({ select, filters, rest }) =>
    [`select=${encodeURIComponent(select.join(','))}`, ...filters, ...rest].join('&'),
  );
/** Bodies of values of every type, mostly with a type that does not match the declared one. */
export const hostileBody = fc.record({
  type: fc.constantFrom(
    'application/json',
    'text/csv',
    'application/x-www-form-urlencoded',
    'text/plain',
    'application/octet-stream',
  ),
  text: fc
    .array(
      fc.oneof(
        fc.constantFrom('{', '}', '[', ']', ':', ',', '"', '=', '&', '%', '\\', '\n', ';'),
        fc.constantFrom(
          'id',
          'title',
          'label',
          'author_id',
          'shelf',
          'loaned',
          'nothing',
          'secret',
          '__proto__',
        ),
        fc.constantFrom('"id":', '"title":', '\r\n', '""', 'NULL', '%00', '%ff', '+', '1', "'; --", '\ufeff'),
        value,
      ),
      { maxLength: 12 },
    )
    .map((pieces) => pieces.join('')),
});
export const hostilePrefer = fc.constantFrom(
  '',
  'count=exact',
  'count=planned',
  'handling=strict,x',
  'timezone=Nowhere',
  'count=exact,tx=rollback',
);
export const hostileAccept = fc.constantFrom(
  '*/*',
  'application/vnd.pgrst.object+json',
  'text/csv',
  'application/vnd.pgrst.array+json;nulls=stripped',
  'image/png',
);
