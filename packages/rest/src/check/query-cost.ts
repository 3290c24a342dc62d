/** Limits the planning cost of a request. The parser limits each part separately. */
import { RestError } from '../errors.ts';
import type { QueryTokens } from '../parse/query-tokens.ts';
import type { LogicNode, SelectItem } from '../plan/query-types.ts';

/**
 * Maximum cost in points. Planning an embed takes as long as planning ten columns, conditions or order terms, at any
 * depth. A request of 1000 points takes about 40 ms to plan; large regular requests have 100 to 300 points.
 */
const maxCost = 1000;
const embedCost = 10;

/**
 * Requires that the request does not exceed the maximum cost.
 *
 * @throws RestError 400 PGRST100
 */
export function validateQueryCost(
  items: readonly SelectItem[],
  { filters, logic, orders }: QueryTokens,
): void {
  let cost = selectionCost(items) + filters.length;
  for (const { tree } of logic) cost += countConditions(tree);
  for (const text of orders.values()) cost += text.split(',').length;
  if (cost <= maxCost) return;
  throw new RestError(
    400,
    'PGRST100',
    `The request takes at most ${maxCost} points: ${embedCost} for each embed, 1 for each column, condition and order term`,
    { details: `It has ${cost} points.`, hint: 'Send several smaller requests.' },
  );
}

function selectionCost(items: readonly SelectItem[]): number {
  return items.reduce(
    (sum, item) => sum + (item.kind === 'embed' ? embedCost + selectionCost(item.items) : 1),
    0,
  );
}

function countConditions(node: LogicNode): number {
  if (node.kind === 'condition') return 1;
  return node.members.reduce((sum, member) => sum + countConditions(member), 0);
}
