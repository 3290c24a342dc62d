/**
 * Arbitraries of valid reads of the tables of `library-schema.ts`: every operator with values of the right
 * type, embeds of every kind, order, limits, counts and response formats. Rows always have a total order,
 * because the order is otherwise undefined.
 */
import fc from 'fast-check';
import type { PostgrestRequest } from '@lanternrock/testing/postgrest';
import { getTable, tables, type Embed, type Table } from './library-columns.ts';
import { filterArbitrary, parameter } from './condition-arbitraries.ts';

const orderArbitrary = (table: Table): fc.Arbitrary<string> =>
  fc
    .array(
      fc.tuple(
        fc.constantFrom(...Object.keys(table.columns)),
        fc.constantFrom('', '.asc', '.desc'),
        fc.constantFrom('', '.nullsfirst', '.nullslast'),
      ),
      { maxLength: 2 },
    )
    .map((terms) => [...terms.map((term) => term.join('')), table.key].join(','));

/** Selected columns with distinct names. */
const columnsArbitrary = (table: Table): fc.Arbitrary<string[]> =>
  fc.oneof(
    fc.constant<string[]>(['*']),
    fc
      .uniqueArray(
        fc.tuple(fc.constantFrom(...Object.keys(table.columns)), fc.constantFrom('', '::text'), fc.boolean()),
        { minLength: 1, maxLength: 4, selector: ([column]) => column },
      )
      .map((chosen) =>
        chosen.map(([column, cast, renamed], index) => {
          const alias = renamed || column.includes('>') ? `c${index}:` : '';
          // An index before a parenthesis is a listed difference to PostgREST.
          return `${alias}${column}${/\d$/.test(column) ? '::text' : cast}`;
        }),
      ),
  );

interface Selection {
  readonly select: string;
  readonly parameters: readonly string[];
  /** Expressions that can order the parent. */
  readonly orders: readonly string[];
}

/** The columns of a to-one embed as columns of its parent. */
const spreadArbitrary = ({ text, name, table }: Embed, path: string): fc.Arbitrary<Selection> => {
  const columns = getTable(table).columns;
  return fc
    .tuple(
      fc.subarray(Object.keys(columns), { minLength: 1 }),
      fc.oneof(fc.constant<string[]>([]), filterArbitrary(getTable(table), `${path}${name}.`)),
    )
    .map(([chosen, parameters]) => ({
      select: `...${text}(${chosen.map((column, index) => `${table}${index}:${column}::text`).join(',')})`,
      parameters,
      orders: [],
    }));
};

const embedArbitrary = (chosen: Embed, path: string, depth: number): fc.Arbitrary<Selection> => {
  const table = getTable(chosen.table);
  const inside = `${path}${chosen.name}.`;
  const whole = fc
    .record({
      inner: selectionArbitrary(table, inside, depth),
      filters: fc.oneof(fc.constant<string[]>([]), filterArbitrary(table, inside)),
      order: orderArbitrary(table),
      limit: fc.option(fc.integer({ min: 1, max: 3 })),
      offset: fc.option(fc.nat(2)),
      match: fc.constantFrom('', '', '', 'is.null', 'not.is.null'),
    })
    .map(({ inner, filters, order, limit, offset, match }) => {
      // An offset that filters the parent is a listed difference to PostgREST.
      const filtersParent = match !== '' || chosen.text.endsWith('!inner');
      const window = [
        parameter(inside, 'order', order),
        ...(limit === null ? [] : [parameter(inside, 'limit', String(limit))]),
        ...(offset === null || filtersParent ? [] : [parameter(inside, 'offset', String(offset))]),
      ];
      return {
        select: `${chosen.text}(${inner.select})`,
        parameters: [
          ...inner.parameters,
          ...filters,
          ...(chosen.toOne ? [] : window),
          ...(match === '' ? [] : [parameter(path, chosen.name, match)]),
        ],
        // An order by a column that is not selected is a listed difference, too.
        orders: chosen.toOne && inner.select.startsWith('*') ? [`${chosen.name}(${table.key}).desc`] : [],
      };
    });
  if (!chosen.toOne || chosen.text.includes(':')) return whole;
  return fc.oneof({ weight: 3, arbitrary: whole }, { weight: 1, arbitrary: spreadArbitrary(chosen, path) });
};

function selectionArbitrary(table: Table, path: string, depth: number): fc.Arbitrary<Selection> {
  const embeds =
    depth === 0 || table.embeds.length === 0
      ? fc.constant<Selection[]>([])
      : fc
          .uniqueArray(fc.constantFrom(...table.embeds), {
            maxLength: 2,
            selector: ({ table: target }) => target,
          })
          // With a computed relationship, further embeds cause an error in PostgREST.
          .map((chosen) =>
            chosen.filter(({ name }, _index, { length }) => length === 1 || name !== 'best_books'),
          )
          .chain((chosen) => fc.tuple(...chosen.map((one) => embedArbitrary(one, path, depth - 1))));
  return fc.tuple(columnsArbitrary(table), embeds).map(([columns, selections]) => ({
    select: [...columns, ...selections.map(({ select }) => select)].join(','),
    parameters: selections.flatMap(({ parameters }) => parameters),
    orders: selections.flatMap(({ orders }) => orders),
  }));
}

const rowsRead = fc
  .constantFrom(...(Object.keys(tables) as (keyof typeof tables)[]).filter((name) => name !== 'best_books'))
  .chain((name) => {
    const table = getTable(name);
    return fc
      .tuple(
        selectionArbitrary(table, '', 2),
        filterArbitrary(table, ''),
        orderArbitrary(table),
        fc.option(fc.nat(6)),
        fc.option(fc.nat(8)),
        fc.boolean(),
      )
      .map(([selection, filters, columns, limit, offset, related]) => {
        const order = [...(related ? selection.orders : []), columns].join(',');
        const query = [
          parameter('', 'select', selection.select),
          ...selection.parameters,
          ...filters,
          parameter('', 'order', name === 'book_tags' ? `${order},book_id` : order),
          ...(limit === null ? [] : [`limit=${limit}`]),
          ...(offset === null || limit === 0 ? [] : [`offset=${offset}`]),
        ];
        return `/${name}?${query.join('&')}`;
      });
  });

/** Groups of books, ordered by the grouping columns. */
const groupsRead = fc
  .tuple(
    fc.constantFrom('author_id', 'in_print', 'facts->>genre'),
    fc.uniqueArray(
      fc.constantFrom(
        'count()',
        'n:count()::text',
        'id.sum()',
        'lowest:price.min()',
        'price.max()::text',
        'mean:price.avg()',
        'titles:title.count()',
        'title.max()',
      ),
      { minLength: 1, maxLength: 3, selector: (text) => text.replace(/.*\.|:.*/g, '') },
    ),
    filterArbitrary(getTable('books'), ''),
  )
  .map(
    ([group, aggregates, filters]) =>
      `/books?${[parameter('', 'select', [group, ...aggregates].join(',')), ...filters, parameter('', 'order', group)].join('&')}`,
  );

const stripped = 'application/vnd.pgrst.array+json;nulls=stripped';
const accepts = [
  'application/json',
  'application/json',
  'application/vnd.pgrst.object+json',
  stripped,
  'text/csv',
];

const read = (path: fc.Arbitrary<string>, prefer: readonly string[]): fc.Arbitrary<PostgrestRequest> =>
  fc
    .record({
      path,
      method: fc.constantFrom('GET', 'GET', 'GET', 'HEAD'),
      headers: fc.record({ Accept: fc.constantFrom(...accepts), Prefer: fc.constantFrom(...prefer) }),
    })
    // A column and an embed with the same name, without nulls, is a listed difference to PostgREST.
    .filter((call) => call.headers.Accept !== stripped || !/_id\(/.test(decodeURIComponent(call.path)));

/**
 * Without estimated counts, which depend on the planner, and without totals of groups, a listed difference to
 * PostgREST.
 */
export const validRead: fc.Arbitrary<PostgrestRequest> = fc.oneof(
  { weight: 9, arbitrary: read(rowsRead, ['', 'count=exact', 'count=estimated']) },
  { weight: 1, arbitrary: read(groupsRead, ['']) },
);
