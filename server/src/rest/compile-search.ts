/**
 * Sorted pages of rows that a pattern finds. How many those are nobody knows before: the index of the
 * order serves frequent patterns and the index of the pattern rare ones, and the planner's guess is one
 * number for both. So the first rows in order are tried, then more of them if that promises to be
 * enough, and only then everything that the pattern finds is fetched and sorted.
 */
import { compileLogic } from './compile-filter.ts';
import { compileExists, type RowSource } from './compile-source.ts';
import { identifier, type SqlBuilder } from './compile-text.ts';
import { compileOrder, limitOf, offsetOf } from './compile-window.ts';
import { canCutFirst, neededNames, type Level, type PlannedLogic } from './read-plan.ts';

/** Rows in order that are tried first. */
const sample = 500;
/** Times as many rows are tried next, or as many as the page reaches. */
const factor = 40;

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
  level: Level,
  { alias, from }: RowSource,
  maxRows: number,
): Search | null {
  const searched = level.where.filter(isPattern);
  if (searched.length === 0 || level.order.length === 0 || !canCutFirst(level)) return null;
  const names = [...new Set([...neededNames(level), ...level.where.flatMap(namesOf)])];
  if (!names.every((name) => level.columnNames.includes(name))) return null;

  const whole = level.items.some((item) => item.kind === 'all');
  const list = whole ? `${alias}.*` : names.map((name) => `${alias}.${identifier(name)}`).join(', ');
  const compile = (nodes: readonly PlannedLogic[]): string[] =>
    nodes.map((node) => compileLogic(sql, alias, node, compileExists(sql, alias)));
  const plain = compile(level.where.filter((node) => !searched.includes(node)));
  const pattern = compile(searched);
  const order = compileOrder(sql, alias, level.order);
  const offset = offsetOf(sql, level);
  const wanted = `(${limitOf(level, maxRows)}${offset === null ? '' : ` + ${offset}`})`;
  const count = (rows: string): string => `(select count(*) from ${rows})`;

  /** The limit inside is a fence: the pattern is tried on these rows and on no others. */
  const tried = (limit: string, gate: readonly string[]): string =>
    `select ${list} from (select ${list} from ${from}${where([...plain, ...gate])} order by ${order} limit ${limit}) as ${alias}${where(pattern)}`;
  const promising = [
    `${count('"first"')} < ${wanted}`,
    `${count('"first"')} * ${factor} >= least(${wanted}, ${sample})`,
  ];
  const missing = [`${count('"first"')} < ${wanted}`, `${count('"more"')} < ${wanted}`];
  const more = `greatest(${sample * factor}, ${wanted} * ${factor})`;
  const found = ['"first"', '"more"'].map(
    (rows) => `select * from ${rows} where ${count(rows)} >= ${wanted}`,
  );
  // Where many rows match, the index of the pattern is the slower way to all of them.
  const frequent = `(select ${list} from ${from}${where(plain)} offset 0) as ${alias}${where(pattern)}`;
  const rare = `${from}${where([...plain, ...pattern])}`;
  return {
    prefix:
      `with "first" as materialized (${tried(String(sample), [])}), ` +
      `"more" as materialized (${tried(more, promising)} order by ${order} limit ${wanted}), ` +
      `"rest" as materialized (select ${list} from ${from}${where([...plain, ...pattern, ...missing])}) `,
    source: {
      from: `(${[...found, 'select * from "rest"'].join(' union all ')}) as ${alias}`,
      alias,
      conditions: [],
    },
    total: `case when ${count('"first"')} * 20 >= ${sample} then ${count(frequent)} else ${count(rare)} end`,
  };
}

const where = (conditions: readonly string[]): string =>
  conditions.length > 0 ? ` where ${conditions.join(' and ')}` : '';

/** Operators whose matches the planner can only guess. */
const patternOperators = new Set<string>(['like', 'ilike', 'match', 'imatch']);

function isPattern(node: PlannedLogic): boolean {
  if (node.kind === 'group') return node.members.some(isPattern);
  return (
    node.kind === 'condition' &&
    node.operation.kind === 'compare' &&
    patternOperators.has(node.operation.operator)
  );
}

function namesOf(node: PlannedLogic): string[] {
  if (node.kind === 'group') return node.members.flatMap(namesOf);
  return node.kind === 'condition' ? [node.column.name] : [];
}
