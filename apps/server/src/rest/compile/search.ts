/**
 * Sorted pages of rows that a pattern finds. How many those are nobody knows before: the index of the
 * order serves frequent patterns and the index of the pattern rare ones, and the planner's guess is one
 * number for both. So the first rows in order are tried, then more of them if that promises to be
 * enough, and only then everything that the pattern finds is fetched and sorted.
 */
import { compileLogic } from './filter.ts';
import { compileRareWords } from './rare-words.ts';
import { compileExists, type RowSource } from './row-source.ts';
import { whereClause, type SqlBuilder } from './sql-builder.ts';
import { compileOrder, compileLimit, compileOffset } from './order-limit.ts';
import { isPatternOperator } from '../plan/query-types.ts';
import {
  canLimitBeforeEmbeds,
  requiredColumns,
  type ReadLevel,
  type PlannedLogic,
} from '../plan/read-plan.ts';
import { quoteIdentifier } from '../schema/quote-identifier.ts';

/** Rows in order that are tried first. */
const ahead = 500;
/** Times as many rows are tried next, or as many as the page reaches. */
const factor = 40;
/** Where one in so many of the first rows matches, the index of the pattern is the slower way to all of them. */
const frequent = 20;

export interface Search {
  /** Common table expressions. */
  readonly prefix: string;
  /** Where the rows of the page are, and perhaps more, still without order. */
  readonly source: RowSource;
  /** Counts all rows that match. */
  readonly total: string;
}

/** Null where an ordinary statement does: no pattern, no order, or rows that embeds drop or sort. */
export function compileSearch(
  sql: SqlBuilder,
  level: ReadLevel,
  source: RowSource,
  maxRows: number,
): Search | null {
  const patterns = level.where.filter(hasPattern);
  if (patterns.length === 0 || level.order.length === 0 || !canLimitBeforeEmbeds(level)) return null;
  const names = [...new Set([...requiredColumns(level), ...level.where.flatMap(namesOf)])];
  if (!names.every((name) => level.columnNames.includes(name))) return null;
  const parts = compileParts(sql, level, source, { patterns, names, maxRows });
  return assemble(parts, everything(sql, level, parts, patterns));
}

/** What the statement's parts are put together from. */
interface Parts {
  readonly alias: string;
  readonly from: string;
  /** The columns of which the page is made and by which its rows are found and sorted. */
  readonly columns: string;
  /** Conditions without a pattern. */
  readonly plain: readonly string[];
  readonly pattern: readonly string[];
  readonly order: string;
  /** Rows up to the end of the page. */
  readonly wanted: string;
}

function compileParts(
  sql: SqlBuilder,
  level: ReadLevel,
  { alias, from }: RowSource,
  {
    patterns,
    names,
    maxRows,
  }: { patterns: readonly PlannedLogic[]; names: readonly string[]; maxRows: number },
): Parts {
  const conditions = (nodes: readonly PlannedLogic[]): string[] =>
    nodes.map((node) => compileLogic(sql, alias, node, compileExists(sql, alias)));
  const whole = level.items.some((item) => item.kind === 'all');
  const offset = compileOffset(sql, level);
  return {
    alias,
    from,
    columns: whole ? `${alias}.*` : names.map((name) => `${alias}.${quoteIdentifier(name)}`).join(', '),
    plain: conditions(level.where.filter((node) => !patterns.includes(node))),
    pattern: conditions(patterns),
    order: compileOrder(sql, alias, level.order),
    wanted: `(${compileLimit(level, maxRows)}${offset === null ? '' : ` + ${offset}`})`,
  };
}

/** The ways to everything that the pattern finds. */
interface Everything {
  /** A common table expression that `indexed` needs; empty where it needs none. */
  readonly sample: string;
  /** What stands behind `from`, up to its conditions: what the index of the pattern finds. */
  readonly indexed: string;
  /** The same, reading every row. */
  readonly scanned: string;
}

function everything(
  sql: SqlBuilder,
  level: ReadLevel,
  parts: Parts,
  patterns: readonly PlannedLogic[],
): Everything {
  const { alias, from, columns, plain, pattern } = parts;
  /** `offset 0` is a fence: the pattern is tried on what stands inside, which no index of it finds. */
  const fenced = (inside: readonly string[]): string =>
    `(select ${columns} from ${from}${whereClause([...plain, ...inside])} offset 0) as ${alias}${whereClause(pattern)}`;
  // Where fewer lie ahead, those are all that there are.
  const others = (): string =>
    `select ${columns} from ${from}${anyPages(sql, level)}${whereClause([...plain, `${count('ahead')} = ${ahead}`])}`;
  const rare = compileRareWords(sql, alias, patterns, { first: '"ahead"', others });
  return {
    sample: rare === null ? '' : `${rare.sample}, `,
    indexed: rare === null ? `${from}${whereClause([...plain, ...pattern])}` : fenced(rare.conditions),
    scanned: fenced([]),
  };
}

/** Pages that a sample reads at most, about. */
const sampledPages = 10;

/**
 * Reads a few pages from anywhere in a table, the same ones each time while its size stays. A view's rows
 * come as they come.
 */
function anyPages(sql: SqlBuilder, { relation }: ReadLevel): string {
  if (!relation?.hasPages) return '';
  const pages = `pg_relation_size(${sql.constant(relation.oid)}::oid::regclass) / current_setting('block_size')::int`;
  return ` tablesample system (100.0 * least(1, ${sampledPages}::float / greatest(${pages}, 1))) repeatable (0)`;
}

/**
 * "ahead" are the first rows in order, "first" those of them that match, "more" the matches among the
 * next ones, "rest" all that match. A place is looked at when those before it did not hold the page.
 */
function assemble(parts: Parts, { sample, indexed, scanned }: Everything): Search {
  const { alias, from, columns, plain, pattern, order, wanted } = parts;
  const inOrder = (conditions: readonly string[], limit: string | number): string =>
    `select ${columns} from ${from}${whereClause([...plain, ...conditions])} order by ${order} limit ${limit}`;
  const lacksRows = (place: Place): string => `${count(place)} < ${wanted}`;
  const isPromising = `${count('first')} * ${factor} >= least(${wanted}, ${ahead})`;
  const next = inOrder(
    [lacksRows('first'), isPromising],
    `greatest(${ahead * factor}, ${wanted} * ${factor})`,
  );
  const matching = `${alias}${whereClause(pattern)}`;
  const enough = (place: Place): string => `select * from "${place}" where ${count(place)} >= ${wanted}`;
  return {
    prefix:
      `with "ahead" as materialized (${inOrder([], ahead)}), ` +
      `"first" as materialized (select ${columns} from "ahead" as ${matching}), ` +
      // The limit inside is a fence: the pattern is tried on these rows and on no others.
      `"more" as materialized (select ${columns} from (${next}) as ${matching} order by ${order} limit ${wanted}), ` +
      sample +
      `"rest" as materialized (select ${columns} from ${indexed} and ${lacksRows('first')} and ${lacksRows('more')}) `,
    source: {
      from: `(${enough('first')} union all ${enough('more')} union all select * from "rest") as ${alias}`,
      alias,
      conditions: [],
    },
    total: `case when ${count('first')} * ${frequent} >= ${ahead} then ${countOf(scanned)} else ${countOf(indexed)} end`,
  };
}

type Place = 'ahead' | 'first' | 'more';

const count = (place: Place): string => countOf(`"${place}"`);
const countOf = (rows: string): string => `(select count(*) from ${rows})`;

/** The planner can only guess what a pattern finds. */
function hasPattern(node: PlannedLogic): boolean {
  if (node.kind === 'group') return node.members.some(hasPattern);
  return (
    node.kind === 'condition' &&
    node.operation.kind === 'compare' &&
    isPatternOperator(node.operation.operator)
  );
}

function namesOf(node: PlannedLogic): string[] {
  if (node.kind === 'group') return node.members.flatMap(namesOf);
  return node.kind === 'condition' ? [node.column.name] : [];
}
