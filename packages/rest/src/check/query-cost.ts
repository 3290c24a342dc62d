/** Limits the planning cost of a request. The parser limits each part separately. */
import { RestError } from '../errors.ts';
import type { Preferences } from '../parse/preferences.ts';
import {
  hasPattern,
  isGrouped,
  isOrderedSearch,
  listEmbeds,
  type ColumnRef,
  type EmbedPlan,
  type OutputItem,
  type PlannedLogic,
  type ReadLevel,
} from '../plan/read-plan.ts';
import { hasSampledWords } from '../plan/word-patterns.ts';

/**
 * Maximum cost in points. Postgres plans a request of 1000 points in at most 50 ms, on the embedded engine with at most
 * 14 MB (`accepted-cost.test.ts`); large regular requests have 100 to 400 points.
 */
const maxCost = 1000;
/** An embed and a function of a row are subqueries or are inlined. */
const embedCost = 10;
const computedColumnCost = 10;
/** Postgres compares all sets of the index scans for groups, so the time grows with the third power of their number. */
const groupCost = 20;
/** A value can have megabytes, and the response contains it again for each repetition of its column. */
const repetitionCost = 20;
/** Types whose values are short. */
const shortTypes: ReadonlySet<string> = new Set([
  'bigint',
  'boolean',
  'date',
  'integer',
  'smallint',
  'timestamp with time zone',
  'uuid',
]);
/** Aggregates whose result is one of the values. */
const longAggregates: ReadonlySet<string> = new Set(['max', 'min']);
/** Number of additional copies of the conditions in a count. An estimate is a statement of its own. */
const countCopies = { exact: 1, planned: 1, estimated: 2 } as const;
/** Columns of `*`, which need no lookup of a name. */
const columnsPerPoint = 10;
/** Maximum number of entries of a target list in Postgres (`MaxTupleAttributeNumber`). */
const maxColumns = 1664;

/**
 * Requires that a read or the filters of a write do not exceed the maximum cost and the maximum number of columns.
 *
 * @param count requested count of all rows; `exact` for a write, whose filters test embeds as a count does
 * @throws RestError 400 PGRST100
 */
export function validateQueryCost(level: ReadLevel, count: Preferences['count']): void {
  validateColumns(level, 0);
  // The count of groups reads them a second time.
  const reads = count !== null && isGrouped(level) ? 2 : 1;
  const cost = reads * readCost(level) + repeatedCost(level, count);
  if (cost <= maxCost) return;
  throw new RestError(
    400,
    'PGRST100',
    `A request costs at most ${maxCost} points: ${embedCost} for each embed and computed column, ${groupCost} for ` +
      `each and/or and each repetition of * or a long column, 1 for each column, condition, order term, key of a JSON path, ${columnsPerPoint} columns of *, ` +
      '10 elements of in, 5 of another list and each pattern of a list. Spreads, aggregates, counts and ordered searches repeat parts.',
    { details: `It has ${cost} points.`, hint: 'Send several smaller requests.' },
  );
}

/** Returns the cost of the conditions that the statement contains in addition to those of the read. */
function repeatedCost(level: ReadLevel, count: Preferences['count']): number {
  if (isOrderedSearch(level)) return searchCost(level, count !== null);
  return count === null ? 0 : countCopies[count] * new ConditionCosts().cost(level);
}

/**
 * Returns the cost of the conditions that a search repeats for its sources of rows, and its count for two of them
 * (`compileSearch`). A pattern filters rows that are already read, where a group and a computed column cost nothing.
 */
function searchCost(level: ReadLevel, isCounted: boolean): number {
  const samplesWords = hasSampledWords(level.where);
  return sum(level.where, (node) => {
    const counted = isCounted ? 2 * logicCost(level, node, () => 1) : 0;
    if (!hasPattern(node)) return counted + (samplesWords ? 3 : 2) * logicCost(level, node, () => 1);
    const sampled = samplesWords ? (isCounted ? 2 : 1) : 0;
    return counted + (2 + sampled) * rowFilterCost(node);
  });
}

/** Returns the cost of a condition on rows that another part of the statement reads. */
function rowFilterCost(node: PlannedLogic): number {
  if (node.kind === 'group') return sum(node.members, rowFilterCost);
  return node.kind === 'condition' ? 1 + listCost(node) + node.column.path.length : 1;
}

/**
 * Requires that Postgres can return the columns of each level.
 *
 * @param added number of columns that the parent adds to the level
 */
function validateColumns(level: ReadLevel, added: number): void {
  const columns = countColumns(level) + level.order.length + added;
  if (columns > maxColumns) {
    throw new RestError(
      400,
      'PGRST100',
      `A level accepts at most ${maxColumns} columns and order terms, including those of its spreads`,
      { details: `${level.relation === null ? 'The function' : `"${level.relation.name}"`} has ${columns}.` },
    );
  }
  for (const embed of listEmbeds(level)) {
    validateColumns(embed.level, 1 + level.order.filter((term) => term.embed === embed).length);
  }
}

/** Returns the number of columns of a level with those of its spreads. */
function countColumns(level: ReadLevel): number {
  return sum(level.items, (item) => {
    if (item.kind === 'all') return level.columnNames.length;
    return item.kind === 'embed' && item.embed.spread ? countColumns(item.embed.level) : 1;
  });
}

/** Returns the cost of the rows, where each embed is joined once. */
function readCost(level: ReadLevel): number {
  // Postgres compares each column of GROUP BY with all others.
  const groupBy = isGrouped(level) ? countColumns(level) : 0;
  const items =
    groupBy + sum(level.items, (item) => itemCost(level, item)) + repetitionCost * repetitions(level);
  const orders = sum(level.order, ({ column, embed }) => 1 + columnCost(embed?.level ?? level, column));
  return items + orders + sum(level.where, (node) => logicCost(level, node, () => 1));
}

/** Returns the number of items of a level that return the same long value as an earlier item, in any type. */
function repetitions({ items, relation }: ReadLevel): number {
  const values = items.flatMap((item) => {
    if (item.kind === 'all') return ['*'];
    if (item.kind !== 'column' || item.column === null) return [];
    if (item.aggregate !== null && !longAggregates.has(item.aggregate)) return [];
    if (shortTypes.has(relation?.columns.get(item.column.name)?.baseType ?? '')) return [];
    return [JSON.stringify([item.column.name, ...item.column.path.map(({ key }) => key)])];
  });
  return values.length - new Set(values).size;
}

function itemCost(level: ReadLevel, item: OutputItem): number {
  switch (item.kind) {
    case 'all':
      return Math.ceil(level.columnNames.length / columnsPerPoint);
    case 'count':
      return 1;
    case 'column':
      return 1 + (item.column === null ? 0 : columnCost(level, item.column));
    case 'embed':
      return embedCost + readCost(item.embed.level) + spreadCost(item.embed);
  }
}

/** Returns the cost of the columns that the parent of a spread repeats, and aggregates if the spread is to-many. */
function spreadCost({ spread, relationship, level }: EmbedPlan): number {
  if (!spread) return 0;
  return countColumns(level) * (relationship.toOne ? 1 : 2);
}

/**
 * Costs of the conditions without joins, where an embed is an EXISTS subquery of each condition that tests it
 * (`compileConditions`). A condition on an embed that is tested by several conditions is repeated in each of them, so the
 * cost of each embed is computed once.
 */
class ConditionCosts {
  readonly #costs = new Map<EmbedPlan, number>();

  cost(level: ReadLevel): number {
    const inner = listEmbeds(level).filter((embed) => embed.inner);
    return (
      sum(level.where, (node) => logicCost(level, node, (embed) => this.#exists(embed))) +
      sum(inner, (embed) => this.#exists(embed))
    );
  }

  #exists(embed: EmbedPlan): number {
    const known = this.#costs.get(embed);
    if (known !== undefined) return known;
    const cost = embedCost + this.cost(embed.level);
    this.#costs.set(embed, cost);
    return cost;
  }
}

function logicCost(level: ReadLevel, node: PlannedLogic, matchCost: (embed: EmbedPlan) => number): number {
  switch (node.kind) {
    case 'match':
      return matchCost(node.embed);
    case 'group':
      return groupCost + sum(node.members, (member) => logicCost(level, member, matchCost));
    case 'condition':
      return 1 + listCost(node) + columnCost(level, node.column);
  }
}

function listCost({ operation }: Extract<PlannedLogic, { kind: 'condition' }>): number {
  return operation.kind === 'in' || operation.kind === 'compare' ? operation.listCost : 0;
}

/** Returns the cost of a column in addition to its position. */
function columnCost({ relation }: ReadLevel, { name, path }: ColumnRef): number {
  const isComputed = relation?.columns.has(name) === false && relation.computedColumns.has(name);
  return path.length + (isComputed ? computedColumnCost : 0);
}

function sum<Item>(items: readonly Item[], cost: (item: Item) => number): number {
  return items.reduce((total, item) => total + cost(item), 0);
}
