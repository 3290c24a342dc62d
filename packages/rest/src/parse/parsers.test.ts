/** Property tests of the query parsers: they parse printed queries and throw API errors only. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RestError } from '../errors.ts';
import { parseAccept } from './media-types.ts';
import { parseOrder } from './order.ts';
import { parseSelect } from './select.ts';
import { parseEmbedKey } from './filter-value.ts';
import type { Field, JsonStep, LogicNode, OrderTerm, SelectItem, SlotValue } from '../plan/query-types.ts';
import { parsePreferences } from './preferences.ts';
import { tokenizeQuery, type QueryTokens } from './query-tokens.ts';
import { parseJsonBody } from './request-body.ts';

const runs = Number(process.env['FUZZ_RUNS'] ?? 1000);
const check = <T extends [unknown, ...unknown[]]>(property: fc.IProperty<T>): void =>
  fc.assert(property, { numRuns: runs });

const tokenize = (query: string): QueryTokens =>
  tokenizeQuery(query, { logicDepth: 32, maxRows: 1000, call: false });

/** Text from tokens of the grammar, which random characters rarely produce. */
const pieces = fc.oneof(
  fc.constantFrom(
    'select',
    'order',
    'limit',
    'offset',
    'and',
    'or',
    'not',
    'in',
    'is',
    'eq',
    'fts',
    'null',
    '.',
    ',',
    '(',
    ')',
    '"',
    '\\',
    '{',
    '}',
    '->',
    '->>',
    '::',
    ':',
    '*',
    '!',
    'inner',
    '...',
    '=',
    '&',
    '%',
    '+',
    ' ',
    '-',
    'a',
    'b c',
    'é',
    '0',
    '-1',
    '\0',
    '%00',
    '%',
    '%ff',
    "'",
    ';',
    '--',
    '$1',
  ),
  fc.string({ unit: 'binary', maxLength: 3 }),
);
const grammarText = fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join(''));

/** Encodes like a browser: a lone surrogate becomes a replacement character. */
const encoded = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1);

/** Runs a parser. Fails for errors other than a `RestError` with a 4xx status. */
function expectRestErrorsOnly(parse: () => unknown): void {
  try {
    parse();
  } catch (error) {
    if (!(error instanceof RestError)) throw error;
    expect(error.status).toBeGreaterThanOrEqual(400);
    expect(error.status).toBeLessThan(500);
  }
}

describe('throws API errors only', () => {
  it.each<[string, (text: string) => unknown]>([
    ['a query', tokenize],
    [
      'a query of a function call',
      (text) => tokenizeQuery(text, { logicDepth: 32, maxRows: 1000, call: true }),
    ],
    ['an encoded query', (text) => tokenize(`or=${encoded(text)}&${encoded(text)}=eq.1`)],
    ['select', (text) => parseSelect(text, { depth: 5 })],
    ['order', parseOrder],
    ['a key', parseEmbedKey],
    ['Prefer', parsePreferences],
    ['Accept', (text) => parseAccept(text, { explain: true, geoJson: true })],
    ['a body', (text) => parseJsonBody(text, false)],
    ['a body with columns', (text) => parseJsonBody(text, true)],
  ])('%s', (_name, parse) => {
    check(fc.property(grammarText, (text) => expectRestErrorsOnly(() => parse(text))));
  });
});

const quote = (name: string): string => `"${name.replace(/["\\]/g, '\\$&')}"`;
const name = fc.oneof(
  fc.stringMatching(/^[a-z_][a-z0-9_$]{0,8}$/),
  fc.string({ minLength: 1, maxLength: 8 }).filter((text) => !text.includes('\0')),
);
const printName = (text: string): string => (/^[a-z_][a-z0-9_$]*$/.test(text) ? text : quote(text));
const arrow = fc.constantFrom('->' as const, '->>' as const);
const step: fc.Arbitrary<JsonStep> = fc.oneof(
  fc.record({ arrow, key: fc.string({ maxLength: 6 }), isIndex: fc.constant(false) }),
  fc.record({ arrow, key: fc.integer({ min: -99, max: 99 }).map(String), isIndex: fc.constant(true) }),
);
const field: fc.Arbitrary<Field> = fc.record({ name, path: fc.array(step, { maxLength: 3 }) });
const printField = ({ name: column, path }: Field): string =>
  printName(column) + path.map((part) => part.arrow + (part.isIndex ? part.key : quote(part.key))).join('');

describe('parses printed queries', () => {
  it('select', () => {
    const cast = fc.option(fc.constantFrom('text', 'int4', 'double precision'));
    const aggregate = fc.option(fc.constantFrom('sum' as const, 'avg' as const, 'count' as const));
    const hint = fc.option(name.filter((text) => text !== 'inner' && text !== 'left'));
    const { items } = fc.letrec<{
      items: SelectItem[];
      item: SelectItem;
      column: SelectItem;
      embed: SelectItem;
    }>((tie) => ({
      items: fc.array(tie('item'), { minLength: 1, maxLength: 4 }),
      item: fc.oneof({ maxDepth: 3 }, tie('column'), tie('embed')),
      column: fc.record({
        kind: fc.constant('column' as const),
        field,
        alias: fc.option(name),
        cast,
        aggregate,
        aggregateCast: fc.constant(null),
      }),
      embed: fc.record({
        kind: fc.constant('embed' as const),
        target: name,
        alias: fc.constant(null),
        hint,
        inner: fc.boolean(),
        spread: fc.boolean(),
        items: tie('items'),
      }),
    }));
    const print = (list: readonly SelectItem[]): string =>
      list
        .map((item) =>
          item.kind === 'embed'
            ? `${item.spread ? '...' : ''}${printName(item.target)}${item.hint === null ? '' : `!${printName(item.hint)}`}${item.inner ? '!inner' : ''}(${print(item.items)})`
            : `${item.alias === null ? '' : `${printName(item.alias)}:`}${printField(item.field)}${item.cast === null ? '' : `::${item.cast}`}${item.aggregate === null ? '' : `.${item.aggregate}()`}`,
        )
        .join(',');
    check(
      fc.property(items, (list) => {
        expect(parseSelect(print(list), { depth: 50 })).toEqual(list);
      }),
    );
  });

  it('order', () => {
    const term: fc.Arbitrary<OrderTerm> = fc.record({
      field,
      embed: fc.option(name),
      direction: fc.option(fc.constantFrom('asc' as const, 'desc' as const)),
      nulls: fc.option(fc.constantFrom('first' as const, 'last' as const)),
    });
    const print = (term_: OrderTerm): string => {
      const text = printField(term_.field);
      const target = term_.embed === null ? text : `${printName(term_.embed)}(${text})`;
      return `${target}${term_.direction === null ? '' : `.${term_.direction}`}${term_.nulls === null ? '' : `.nulls${term_.nulls}`}`;
    };
    check(
      fc.property(fc.array(term, { minLength: 1, maxLength: 4 }), (terms) => {
        expect(parseOrder(terms.map(print).join(','))).toEqual(terms);
      }),
    );
  });

  it('filters; values are not part of the shape', () => {
    const value = fc.string({ maxLength: 12 }).filter((text) => !text.includes('\0'));
    check(
      fc.property(value, value, (first, second) => {
        const query = (text: string): string =>
          `a=eq.${encodeURIComponent(text)}&b=not.in.(${encodeURIComponent(quote(text))},x)&limit=5&offset=7`;
        const [one, two] = [tokenize(query(first)), tokenize(query(second))];
        expect(one.values).toEqual([first, `{${quote(first)},"x"}`, 7]);
        expect(tokenize(query(first).replace('limit=5', 'limit=6')).shape).not.toBe(one.shape);
        expect(one.shape).toBe(two.shape);
      }),
    );
  });

  it('logic trees', () => {
    const leaf = fc.record({
      field,
      value: fc.string({ maxLength: 8 }).filter((text) => !text.includes('\0')),
    });
    type Tree =
      | { readonly field: Field; readonly value: string }
      | { readonly operator: 'and' | 'or'; readonly negated: boolean; readonly members: readonly Tree[] };
    const { tree } = fc.letrec<{ tree: Tree; group: Tree }>((tie) => ({
      tree: fc.oneof({ maxDepth: 4 }, leaf, tie('group')),
      group: fc.record({
        operator: fc.constantFrom('and' as const, 'or' as const),
        negated: fc.boolean(),
        members: fc.array(tie('tree'), { minLength: 1, maxLength: 3 }),
      }),
    }));
    const print = (node: Tree): string =>
      'field' in node
        ? `${printField(node.field)}.eq.${quote(node.value)}`
        : `${node.negated ? 'not.' : ''}${node.operator}(${node.members.map(print).join(',')})`;
    const read = (node: LogicNode, values: readonly SlotValue[]): unknown =>
      node.kind === 'condition'
        ? {
            field: node.field,
            value: node.operation.kind === 'compare' ? values[node.operation.value] : null,
          }
        : {
            operator: node.operator,
            negated: node.negated,
            members: node.members.map((member) => read(member, values)),
          };
    check(
      fc.property(fc.array(tree, { minLength: 1, maxLength: 3 }), (members) => {
        const { logic, values } = tokenize(`or=(${encodeURIComponent(members.map(print).join(','))})`);
        expect(logic.map(({ tree: group }) => read(group, values))).toEqual([
          { operator: 'or', negated: false, members },
        ]);
      }),
    );
  });
});
