/**
 * Arbitraries of valid conditions: every operator with values of the right type, single and in logic trees.
 */
import fc from 'fast-check';
import type { Kind, Table } from './library-columns.ts';

const values: Readonly<Record<Kind, readonly string[]>> = {
  integer: ['0', '1', '2', '3', '7', '-1'],
  number: ['2', '2.0', '0.25', '-1', '12345678901234567890.10', 'NaN'],
  text: [
    'Snow',
    'Sea, the',
    'snow',
    '',
    'winter',
    'S_n%w',
    'Über "alles"',
    'a*b\\c',
    'new',
    'Ada',
    '(x)',
    'null',
  ],
  boolean: ['true', 'false'],
  array: ['{}', '{a}', '{a,b}', '{"x,y"}'],
  range: ['[2026-01-01,2026-02-01)', 'empty', '(,2026-01-08]', '[2026-01-05,2026-01-06)'],
  json: ['{}', '{"genre": "winter"}', '[]', '["cold"]', '{"tags": ["cold", 1]}'],
};

const comparisons = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'isdistinct'];
const operators: Readonly<Record<Kind, readonly string[]>> = {
  integer: comparisons,
  number: comparisons,
  text: comparisons,
  boolean: ['eq', 'neq', 'isdistinct'],
  array: ['eq', 'neq', 'cs', 'cd', 'ov'],
  range: ['eq', 'neq', 'cs', 'cd', 'ov', 'sl', 'sr', 'nxr', 'nxl', 'adj'],
  json: ['eq', 'neq', 'cs', 'cd'],
};

const quoted = (value: string): string => `"${value.replace(/["\\]/g, '\\$&')}"`;
/** Formats a value of a list or a tree, quoted if it contains separator characters. */
const listed = (value: string): string => (/^[\w.-]+$/.test(value) ? value : quoted(value));

/** Operator and value in both spellings: of a parameter and of a logic tree. */
interface Test {
  readonly plain: string;
  readonly nested: string;
}

const test = (operator: string, value: string): Test => ({
  plain: `${operator}.${value}`,
  nested: `${operator}.${listed(value)}`,
});
const same = (text: string): Test => ({ plain: text, nested: text });

function testArbitrary(kind: Kind): fc.Arbitrary<Test> {
  const value = fc.constantFrom(...values[kind]);
  const several = fc.uniqueArray(value, { maxLength: 3 });
  const literal = several.map((list) => `{${list.map(quoted).join(',')}}`);
  const tests = [
    fc.tuple(fc.constantFrom(...operators[kind]), value).map(([operator, text]) => test(operator, text)),
    fc.constant(same('is.null')),
  ];
  if (kind !== 'range' && kind !== 'json' && kind !== 'array') {
    // A single empty text is a listed difference to PostgREST.
    const lists = several.filter(([first, ...more]) => first !== '' || more.length > 0);
    tests.push(lists.map((list) => same(`in.(${list.map(listed).join(',')})`)));
  }
  if (kind === 'integer' || kind === 'text') {
    tests.push(
      fc
        .tuple(fc.constantFrom('eq', 'gt', 'gte', 'lt', 'lte'), fc.constantFrom('any', 'all'), literal)
        .map(([operator, quantifier, list]) => test(`${operator}(${quantifier})`, list)),
    );
  }
  if (kind === 'boolean') tests.push(fc.constantFrom('is.true', 'is.false', 'is.unknown').map(same));
  if (kind === 'text') {
    tests.push(
      fc
        .tuple(
          fc.constantFrom('like', 'ilike'),
          fc.constantFrom('S*', '*n%', 's_o*', '*', 'Über*', 'a\\*b*', ''),
        )
        .map(([operator, text]) => test(operator, text)),
      fc
        .tuple(fc.constantFrom('match', 'imatch'), fc.constantFrom('^s', 'n(o|e)', '[aeiou]{2}', '.', 'w$'))
        .map(([operator, text]) => test(operator, text)),
      fc
        .tuple(fc.constantFrom('like', 'ilike'), fc.constantFrom('any', 'all'))
        .map(([operator, quantifier]) => test(`${operator}(${quantifier})`, '{S*,*w*}')),
      fc
        .tuple(
          fc.constantFrom('fts', 'plfts', 'phfts', 'wfts'),
          fc.constantFrom('', '(english)', '(simple)'),
          // Without the stop words of a configuration, which are a listed difference to PostgREST.
          fc.constantFrom('snow', 'river', 'snow | sea', '!snow', ''),
        )
        .map(([operator, configuration, text]) => test(`${operator}${configuration}`, text)),
    );
  }
  return fc
    .tuple(fc.boolean(), fc.oneof(...tests))
    .map(([negated, { plain, nested }]) =>
      negated ? { plain: `not.${plain}`, nested: `not.${nested}` } : { plain, nested },
    );
}

const columnTest = (table: Table): fc.Arbitrary<{ column: string; test: Test }> =>
  fc
    .constantFrom(...Object.entries(table.columns))
    .chain(([column, kind]) => testArbitrary(kind).map((of) => ({ column, test: of })));

/** A condition inside a logic tree. */
function conditionArbitrary(table: Table, depth: number): fc.Arbitrary<string> {
  const leaf = columnTest(table).map(({ column, test: of }) => `${column}.${of.nested}`);
  if (depth === 0) return leaf;
  return fc.oneof(
    { weight: 3, arbitrary: leaf },
    { weight: 1, arbitrary: groupArbitrary(table, depth - 1).map(({ name, members }) => name + members) },
  );
}

const groupArbitrary = (table: Table, depth: number): fc.Arbitrary<{ name: string; members: string }> =>
  fc.record({
    name: fc.constantFrom('and', 'or', 'not.and', 'not.or'),
    members: fc
      .array(conditionArbitrary(table, depth), { minLength: 1, maxLength: 3 })
      .map((members) => `(${members.join(',')})`),
  });

export const parameter = (path: string, key: string, value: string): string =>
  `${encodeURIComponent(path + key)}=${encodeURIComponent(value)}`;

export const filterArbitrary = (table: Table, path: string): fc.Arbitrary<string[]> =>
  fc
    .tuple(
      fc.array(columnTest(table), { maxLength: 2 }),
      fc.array(groupArbitrary(table, 2), { maxLength: 1 }),
    )
    .map(([filters, groups]) => [
      ...filters.map(({ column, test: of }) => parameter(path, column, of.plain)),
      ...groups.map(({ name, members }) => parameter(path, name, members)),
    ]);
