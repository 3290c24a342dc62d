/** Checks a parsed read against the schema cache and assigns filters, orders and limits to their levels. */
import { RestError } from '../errors.ts';
import { validateQueryCost } from './query-cost.ts';
import { findColumn, type CheckContext, type LevelRows } from './lookups.ts';
import { checkItems } from './select.ts';
import { parseEmbedKey } from '../parse/filter-value.ts';
import { parseOrder } from '../parse/order.ts';
import type { Preferences } from '../parse/preferences.ts';
import type { LogicNode, OrderTerm, SelectItem } from '../plan/query-types.ts';
import type { QueryTokens } from '../parse/query-tokens.ts';
import {
  listEmbeds,
  type EmbedPlan,
  type PlannedLogic,
  type PlannedOrder,
  type ReadLevel,
} from '../plan/read-plan.ts';

/**
 * Checks a read and returns its root level.
 *
 * @param count requested count of all rows; `exact` for a write
 * @throws RestError 400 for a request over the cost limit, unknown columns, types and relationships, and filters on embeds
 *   that are not part of the select
 */
export function checkRead(
  context: CheckContext,
  root: LevelRows,
  items: readonly SelectItem[],
  tokens: QueryTokens,
  count: Preferences['count'],
): ReadLevel {
  const level = checkItems(context, root, items);
  for (const { key, operation } of tokens.filters) {
    const { path, field } = parseEmbedKey(key);
    const target = findLevel(level, path);
    target.where.push(planLogic(context, target, { kind: 'condition', field, operation }));
  }
  for (const { path, tree } of tokens.logic) {
    const target = findLevel(level, path);
    target.where.push(planLogic(context, target, tree));
  }
  for (const { path, limit, offset } of tokens.limitOffsets) {
    const target = findLevel(level, path);
    target.limit = limit;
    target.offset = offset;
  }
  for (const { path, text } of tokens.orders) {
    const target = findLevel(level, path);
    target.order = text === '' ? [] : parseOrder(text).map((term) => planOrder(context, target, term));
  }
  validateQueryCost(level, count);
  return level;
}

function childEmbed(level: ReadLevel, name: string): EmbedPlan | undefined {
  const embeds = listEmbeds(level);
  return (
    embeds.find((embed) => embed.name === name) ??
    embeds.find((embed) => embed.relationship.target.name === name)
  );
}

function findLevel(level: ReadLevel, path: readonly string[]): ReadLevel {
  return path.reduce((current, name) => {
    const embed = childEmbed(current, name);
    if (embed) return embed.level;
    throw notEmbeddedError(name);
  }, level);
}

function notEmbeddedError(name: string): RestError {
  return new RestError(400, 'PGRST108', `'${name}' is not an embedded resource in this request`, {
    hint: `Verify that '${name}' is included in the 'select' query parameter.`,
  });
}

function planOrder(
  context: CheckContext,
  level: ReadLevel,
  { field, embed: name, direction, nulls }: OrderTerm,
): PlannedOrder {
  const embed = name === null ? null : findOrderEmbed(level, name);
  return { column: findColumn(context, embed?.level ?? level, field), embed, direction, nulls };
}

function findOrderEmbed(level: ReadLevel, name: string): EmbedPlan {
  const embed = childEmbed(level, name);
  if (!embed) throw notEmbeddedError(name);
  if (embed.relationship.toOne) return embed;
  throw new RestError(400, 'PGRST118', `A related order on '${name}' is not possible`, {
    details: `'${level.relation?.name ?? ''}' and '${name}' do not form a many-to-one or one-to-one relationship`,
  });
}

/** Looks up the columns of a filter or a logic tree. */
function planLogic(context: CheckContext, level: ReadLevel, node: LogicNode): PlannedLogic {
  if (node.kind === 'group') {
    return { ...node, members: node.members.map((member) => planLogic(context, level, member)) };
  }
  const { field, operation } = node;
  if (field.path.length === 0 && operation.kind === 'is') {
    const embed = listEmbeds(level).find(({ name }) => name === field.name);
    const existence = operation.test === 'null' || operation.test === 'not_null';
    if (embed && existence) {
      return { kind: 'match', embed, exists: (operation.test === 'not_null') !== operation.negated };
    }
  }
  return { kind: 'condition', column: findColumn(context, level, field), operation };
}
