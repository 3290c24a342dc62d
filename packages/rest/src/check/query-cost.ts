/** Limits the planning cost of a request. The parser limits each part separately. */
import { RestError } from '../errors.ts';
import type { Preferences } from '../parse/preferences.ts';
import {
  isSearch,
  listEmbeds,
  type ColumnRef,
  type EmbedPlan,
  type OutputItem,
  type PlannedLogic,
  type ReadLevel,
} from '../plan/read-plan.ts';

/**
 * Maximum cost in points. Postgres plans a request of 1000 points in at most 50 ms, on the embedded engine with at most
 * 12 MB; large regular requests have 100 to 300 points.
 */
const maxCost = 1000;
/** An embed and a function of a row are subqueries or are inlined. */
const embedCost = 10;
const computedColumnCost = 10;
/** Postgres compares all sets of the index scans for groups, so the time grows with the third power of their number. */
const groupCost = 20;
/** A search (`compileSearch`) repeats the conditions for several sources of rows. */
const searchCopies = 2;
/** Number of additional copies of the conditions. An estimate is a statement of its own. */
const countCopies = { exact: 1, planned: 1, estimated: 2 } as const;

/**
 * Requires that a read or the filters of a write do not exceed the maximum cost.
 *
 * @param count requested count of all rows; `exact` for a write, whose filters test embeds as a count does
 * @throws RestError 400 PGRST100
 */
export function validateQueryCost(level: ReadLevel, count: Preferences['count']): void {
  const copies = (count === null ? 0 : countCopies[count]) + (isSearch(level) ? searchCopies : 0);
  const cost = readCost(level) + (copies === 0 ? 0 : copies * new ConditionCosts().cost(level));
  if (cost <= maxCost) return;
  throw new RestError(
    400,
    'PGRST100',
    `The request takes at most ${maxCost} points: ${embedCost} for each embed and computed column, ${groupCost} for ` +
      'each and/or, 1 for each column, condition, order term and key of a JSON path, 5 for each 100 elements of a ' +
      'list, 1 for each pattern of a list. A count and an ordered search repeat the filters and inner embeds.',
    { details: `It has ${cost} points.`, hint: 'Send several smaller requests.' },
  );
}

/** Returns the cost of the rows, where each embed is joined once. */
function readCost(level: ReadLevel): number {
  const items = sum(level.items, (item) => itemCost(level, item));
  const orders = sum(level.order, ({ column, embed }) => 1 + columnCost(embed?.level ?? level, column));
  return items + orders + sum(level.where, (node) => logicCost(level, node, () => 1));
}

function itemCost(level: ReadLevel, item: OutputItem): number {
  if (item.kind === 'embed') return embedCost + readCost(item.embed.level);
  return 1 + (item.kind === 'column' && item.column !== null ? columnCost(level, item.column) : 0);
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
    case 'condition': {
      const { operation } = node;
      const listCost = operation.kind === 'in' || operation.kind === 'compare' ? operation.listCost : 0;
      return 1 + listCost + columnCost(level, node.column);
    }
  }
}

/** Returns the cost of a column in addition to its position. */
function columnCost({ relation }: ReadLevel, { name, path }: ColumnRef): number {
  const isComputed = relation?.columns.has(name) === false && relation.computedColumns.has(name);
  return path.length + (isComputed ? computedColumnCost : 0);
}

function sum<Item>(items: readonly Item[], cost: (item: Item) => number): number {
  return items.reduce((total, item) => total + cost(item), 0);
}
