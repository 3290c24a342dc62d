/** Checks a parsed read against the schema cache and assigns filters, orders and limits to their levels. */
import { RestError } from '../errors.ts';
import { requireBudget } from './budget.ts';
import { resolveRelationship } from './resolve-relationship.ts';
import {
  findCastType,
  findColumn,
  canReadColumn,
  requireReadable,
  type CheckContext,
  type LevelRows,
} from './lookups.ts';
import { parseOrder } from '../parse/order.ts';
import { outputName } from '../parse/select.ts';
import type { Field, LogicNode, SelectColumn, SelectEmbed, SelectItem } from '../plan/query-types.ts';
import type { QueryTokens } from '../parse/query-tokens.ts';
import {
  countsRows,
  listEmbeds,
  isGrouped,
  type EmbedPlan,
  type ReadLevel,
  type OutputItem,
  type PlannedLogic,
} from '../plan/read-plan.ts';
import type { Relation } from '../schema/relation.ts';
import type { Relationship } from '../schema/relationships.ts';
import { Scanner } from '../parse/scanner.ts';

/** Returns the rows of a relation with all its columns. */
export function rootRows(relation: Relation, isReturned = false): LevelRows {
  return { relation, columnNames: [...relation.columns.keys()], isReturned };
}

/**
 * Checks a read and returns its root level.
 *
 * @throws RestError 400 for a request over the cost limit, unknown columns, types and relationships, and filters on embeds
 *   that are not part of the select
 */
export function checkRead(
  context: CheckContext,
  root: LevelRows,
  items: readonly SelectItem[],
  tokens: QueryTokens,
): ReadLevel {
  requireBudget(items, tokens);
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
  for (const { path, limit, offset } of tokens.limitOffsets.values()) {
    const target = findLevel(level, path);
    target.limit = limit;
    target.offset = offset;
  }
  for (const [path, text] of tokens.orders) {
    const target = findLevel(level, path === '' ? [] : path.split('.'));
    target.order =
      text === ''
        ? []
        : parseOrder(text).map(({ field, embed, direction, nulls }) => {
            if (embed === null)
              return { column: findColumn(context, target, field), embed: null, direction, nulls };
            const orderedEmbed = findOrderEmbed(target, embed);
            return {
              column: findColumn(context, orderedEmbed.level, field),
              embed: orderedEmbed,
              direction,
              nulls,
            };
          });
  }
  return level;
}

/**
 * Checks the selected items of a level.
 *
 * @param aggregatesInParent true if the parent computes the aggregates, as for a spread to-one embed
 */
function checkItems(
  context: CheckContext,
  rows: LevelRows,
  items: readonly SelectItem[],
  aggregatesInParent = false,
): ReadLevel {
  const level: ReadLevel = { ...rows, items: [], where: [], order: [], limit: null, offset: null };
  for (const item of items) if (item.kind === 'column') level.items.push(checkColumn(context, level, item));
  // Embeds follow the columns: if two values have the same name, most JSON parsers keep the last one.
  for (const item of items) {
    if (item.kind === 'column') continue;
    const name = embedName(item);
    if (listEmbeds(level).some((embed) => embed.name === name)) throw duplicateEmbedError(name);
    level.items.push(checkEmbed(context, level, item));
  }
  const hasCount = aggregatesInParent ? level.items.some(({ kind }) => kind === 'count') : countsRows(level);
  if (hasCount && level.items.some(isPerRow)) throw ungroupedColumnError(level);
  if (!context.aggregates && level.items.some((item) => item.kind === 'column' && item.aggregate !== null)) {
    throw new RestError(400, 'PGRST123', 'Use of aggregate functions is not allowed');
  }
  return level;
}

const embedName = ({ alias, target }: SelectEmbed): string => alias ?? target;

/** Creates the error for two embeds with the same name: filters would be ambiguous, and clients would see only one. */
function duplicateEmbedError(name: string): RestError {
  return new RestError(400, '42712', `'${name}' is embedded more than once`, {
    hint: 'Give one of them an alias.',
  });
}

/** Returns true for items with a value per row, which cannot be combined with a row count. */
function isPerRow(item: OutputItem): boolean {
  return item.kind === 'embed' ? item.embed.level.items.length > 0 : item.kind !== 'count';
}

/** Creates the error of Postgres for a row count combined with ungrouped columns. */
function ungroupedColumnError({ relation }: ReadLevel): RestError {
  const rows = relation === null ? 'the function' : `"${relation.name}"`;
  return new RestError(
    400,
    '42803',
    `The rows of ${rows} are counted: other columns need an aggregate function`,
  );
}

function checkColumn(context: CheckContext, level: ReadLevel, item: SelectColumn): OutputItem {
  const { field, aggregate } = item;
  if (field.name === '*' && aggregate === null) {
    if (level.relation && !level.isReturned) requireReadable(context, level.relation);
    return { kind: 'all' };
  }
  if (isRowCount(context, level, item)) {
    return {
      kind: 'count',
      name: outputName(item),
      cast: item.cast === null ? null : findCastType(context, item.cast),
    };
  }
  return {
    kind: 'column',
    column: field.name === '' ? null : findColumn(context, level, field),
    name: outputName(item),
    cast: item.cast === null ? null : findCastType(context, item.cast),
    aggregate,
    aggregateCast: item.aggregateCast === null ? null : findCastType(context, item.aggregateCast),
  };
}

/** Returns true for `count` without parentheses, unless a column has this name. */
function isRowCount(context: CheckContext, level: ReadLevel, { field, aggregate }: SelectColumn): boolean {
  return (
    field.name === 'count' &&
    field.path.length === 0 &&
    aggregate === null &&
    !canReadColumn(context, level, field.name)
  );
}

function checkEmbed(context: CheckContext, parent: ReadLevel, item: SelectEmbed): OutputItem {
  if (!parent.relation) {
    throw new RestError(
      400,
      'PGRST200',
      `Could not find a relationship between the function's rows and '${item.target}' in the schema cache`,
    );
  }
  const relationship = resolveRelationship(context, parent.relation, item.target, item.hint);
  requireJoin(context, parent, relationship);
  const rows = rootRows(relationship.target, relationship.routine !== null);
  const aggregatesInParent = item.spread && relationship.toOne;
  const level = checkItems(context, rows, item.items, aggregatesInParent);
  if (item.spread && !relationship.toOne && isGrouped(level)) {
    throw new RestError(400, 'PGRST127', 'Feature not implemented', {
      details: 'Aggregates are not implemented for one-to-many or many-to-many spreads.',
    });
  }
  const embed: EmbedPlan = {
    name: embedName(item),
    relationship,
    inner: item.inner,
    spread: item.spread,
    level,
  };
  return { kind: 'embed', embed };
}

/**
 * Requires the privilege on the columns of a join.
 *
 * @throws RestError 403 42501 if the role lacks SELECT on the columns of the join
 */
function requireJoin(
  context: CheckContext,
  { relation, isReturned }: ReadLevel,
  { target, pairs, junction, routine }: Relationship,
): void {
  if (routine) return;
  const [ownColumns, targetColumns] = junction
    ? [junction.originPairs.map(([name]) => name), junction.targetPairs.map(([name]) => name)]
    : [pairs.map(([name]) => name), pairs.map(([, name]) => name)];
  if (relation && !isReturned) requireReadable(context, relation, ownColumns);
  requireReadable(context, target, targetColumns);
  const junctionColumns = junction
    ? [...junction.originPairs, ...junction.targetPairs].map(([, name]) => name)
    : [];
  if (junction) requireReadable(context, junction.relation, junctionColumns);
}

/** Parses a filter key such as `embed.column->>key`. All names except the last are the path of the embed. */
export function parseEmbedKey(key: string): { path: string[]; field: Field } {
  const scanner: Scanner = new Scanner(key, 'tree path');
  const names = [scanner.name()];
  while (scanner.take('.')) names.push(scanner.name());
  const path = scanner.jsonPath();
  if (!scanner.ended) scanner.fail('".", "->" or end of input');
  return { path: names.slice(0, -1), field: { name: names.at(-1) ?? '', path } };
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
