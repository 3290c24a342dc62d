/**
 * Sorted pages of rows that a pattern finds. How many those are nobody knows before: the index of the
 * order serves frequent patterns and the index of the pattern rare ones, and the planner's guess is one
 * number for both. So the first rows in order are tried, then more of them if that promises to be
 * enough, and only then everything that the pattern finds is fetched and sorted.
 */
import { compileLogic } from './filter.ts';
import { compileRareWords } from './rare-words.ts';
import { compileExists, type RowSource } from './source.ts';
import { identifier, type SqlBuilder } from './text.ts';
import { compileOrder, limitOf, offsetOf } from './window.ts';
import { isPatternOperator } from '../plan/plan.ts';
import { canCutFirst, neededNames, type Level, type PlannedLogic } from '../plan/read-plan.ts';

/** Rows in order that are tried first. */
const ahead = 500;
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

  const rows = (limit: string | number, gate: readonly string[]): string =>
    `select ${list} from ${from}${where([...plain, ...gate])} order by ${order} limit ${limit}`;
  const promising = [
    `${count('"first"')} < ${wanted}`,
    `${count('"first"')} * ${factor} >= least(${wanted}, ${ahead})`,
  ];
  const missing = [`${count('"first"')} < ${wanted}`, `${count('"more"')} < ${wanted}`];
  const more = `greatest(${ahead * factor}, ${wanted} * ${factor})`;
  const found = ['"first"', '"more"'].map(
    (tried) => `select * from ${tried} where ${count(tried)} >= ${wanted}`,
  );
  // Where fewer lie ahead, those are all that there are.
  const others = `select ${list} from ${from}${where([...plain, `${count('"ahead"')} = ${ahead}`])}`;
  const rare = compileRareWords(sql, alias, searched, { first: '"ahead"', others });
  /** All rows that match; `fence` keeps indexes of the pattern away, or gives them its rare words alone. */
  const all = (fence: readonly string[]): string =>
    `(select ${list} from ${from}${where([...plain, ...fence])} offset 0) as ${alias}${where(pattern)}`;
  const indexed = rare === null ? `${from}${where([...plain, ...pattern])}` : all(rare.conditions);
  return {
    prefix:
      `with "ahead" as materialized (${rows(ahead, [])}), ` +
      `"first" as materialized (select ${list} from "ahead" as ${alias}${where(pattern)}), ` +
      // The limit inside is a fence: the pattern is tried on these rows and on no others.
      `"more" as materialized (select ${list} from (${rows(more, promising)}) as ${alias}${where(pattern)} order by ${order} limit ${wanted}), ` +
      (rare === null ? '' : `${rare.sample}, `) +
      `"rest" as materialized (select ${list} from ${indexed} and ${missing.join(' and ')}) `,
    source: {
      from: `(${[...found, 'select * from "rest"'].join(' union all ')}) as ${alias}`,
      alias,
      conditions: [],
    },
    // Where many rows match, the index of the pattern is the slower way to all of them.
    total: `case when ${count('"first"')} * 20 >= ${ahead} then ${count(all([]))} else ${count(indexed)} end`,
  };
}

const where = (conditions: readonly string[]): string =>
  conditions.length > 0 ? ` where ${conditions.join(' and ')}` : '';

/** The planner can only guess what a pattern finds. */
function isPattern(node: PlannedLogic): boolean {
  if (node.kind === 'group') return node.members.some(isPattern);
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
