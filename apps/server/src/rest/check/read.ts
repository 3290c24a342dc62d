/** Second step of a read: names are looked up, filters and orders find their level. */
import { ApiError } from '../../errors.ts';
import { requireBudget } from './budget.ts';
import { resolveRelationship } from './resolve-relationship.ts';
import {
  findCastType,
  findColumn,
  knowsColumn,
  requireReadable,
  type CheckContext,
  type ReadRows,
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

export function rootRows(relation: Relation, isReturned = false): ReadRows {
  return { relation, columnNames: [...relation.columns.keys()], isReturned };
}

/**
 * @throws ApiError 400 over the budget, for unknown columns, types and relationships, and for filters that find no embed
 */
export function checkRead(
  context: CheckContext,
  root: ReadRows,
  items: readonly SelectItem[],
  tokens: QueryTokens,
): ReadLevel {
  requireBudget(items, tokens);
  const level = checkItems(context, root, items);
  for (const { key, operation } of tokens.filters) {
    const { path, field } = parseEmbedKey(key);
    const target = descend(level, path);
    target.where.push(planLogic(context, target, { kind: 'condition', field, operation }));
  }
  for (const { path, tree } of tokens.logic) {
    const target = descend(level, path);
    target.where.push(planLogic(context, target, tree));
  }
  for (const { path, limit, offset } of tokens.windows.values()) {
    const target = descend(level, path);
    target.limit = limit;
    target.offset = offset;
  }
  for (const [path, text] of tokens.orders) {
    const target = descend(level, path === '' ? [] : path.split('.'));
    target.order =
      text === ''
        ? []
        : parseOrder(text).map(({ field, embed, direction, nulls }) => {
            if (embed === null)
              return { column: findColumn(context, target, field), embed: null, direction, nulls };
            const found = orderEmbed(target, embed);
            return { column: findColumn(context, found.level, field), embed: found, direction, nulls };
          });
  }
  return level;
}

/** @param lifted aggregates are left to the parent, as in a spread to-one embed */
function checkItems(
  context: CheckContext,
  rows: ReadRows,
  items: readonly SelectItem[],
  lifted = false,
): ReadLevel {
  const level: ReadLevel = { ...rows, items: [], where: [], order: [], limit: null, offset: null };
  for (const item of items) if (item.kind === 'column') level.items.push(checkColumn(context, level, item));
  // Behind the columns: of two values with one name, most JSON parsers keep the last.
  for (const item of items) {
    if (item.kind === 'column') continue;
    const name = embedName(item);
    if (listEmbeds(level).some((embed) => embed.name === name)) throw duplicated(name);
    level.items.push(checkEmbed(context, level, item));
  }
  const counted = lifted ? level.items.some(({ kind }) => kind === 'count') : countsRows(level);
  if (counted && level.items.some(isPerRow)) throw ungrouped(level);
  if (!context.aggregates && level.items.some((item) => item.kind === 'column' && item.aggregate !== null)) {
    throw new ApiError(400, 'PGRST123', 'Use of aggregate functions is not allowed');
  }
  return level;
}

const embedName = ({ alias, target }: SelectEmbed): string => alias ?? target;

/** Of two embeds with one name, a filter could mean either, and a client would see one. */
function duplicated(name: string): ApiError {
  return new ApiError(400, '42712', `'${name}' is embedded more than once`, {
    hint: 'Give one of them an alias.',
  });
}

/** True for what has a value for each row, so that it cannot stand beside the number of rows. */
function isPerRow(item: OutputItem): boolean {
  return item.kind === 'embed' ? item.embed.level.items.length > 0 : item.kind !== 'count';
}

/** What Postgres answers where the rows are counted and shown at once. */
function ungrouped({ relation }: ReadLevel): ApiError {
  const rows = relation === null ? 'the function' : `"${relation.name}"`;
  return new ApiError(
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

/** `count` without parentheses, where no column is called so. */
function isRowCount(context: CheckContext, level: ReadLevel, { field, aggregate }: SelectColumn): boolean {
  return (
    field.name === 'count' &&
    field.path.length === 0 &&
    aggregate === null &&
    !knowsColumn(context, level, field.name)
  );
}

function checkEmbed(context: CheckContext, parent: ReadLevel, item: SelectEmbed): OutputItem {
  if (!parent.relation) {
    throw new ApiError(
      400,
      'PGRST200',
      `Could not find a relationship between the function's rows and '${item.target}' in the schema cache`,
    );
  }
  const relationship = resolveRelationship(context, parent.relation, item.target, item.hint);
  requireJoin(context, parent, relationship);
  const rows = rootRows(relationship.target, relationship.routine !== null);
  const lifted = item.spread && relationship.toOne;
  const level = checkItems(context, rows, item.items, lifted);
  if (item.spread && !relationship.toOne && isGrouped(level)) {
    throw new ApiError(400, 'PGRST127', 'Feature not implemented', {
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

/** @throws ApiError 403 42501 unless the role may select the columns of the join */
function requireJoin(
  context: CheckContext,
  { relation, isReturned }: ReadLevel,
  { target, pairs, junction, routine }: Relationship,
): void {
  if (routine) return;
  const [own, other] = junction
    ? [junction.originPairs.map(([name]) => name), junction.targetPairs.map(([name]) => name)]
    : [pairs.map(([name]) => name), pairs.map(([, name]) => name)];
  if (relation && !isReturned) requireReadable(context, relation, own);
  requireReadable(context, target, other);
  const linked = junction ? [...junction.originPairs, ...junction.targetPairs].map(([, name]) => name) : [];
  if (junction) requireReadable(context, junction.relation, linked);
}

/** `embed.column->>key`: all names but the last are the way to the embed. */
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

function descend(level: ReadLevel, path: readonly string[]): ReadLevel {
  return path.reduce((current, name) => {
    const embed = childEmbed(current, name);
    if (embed) return embed.level;
    throw notEmbedded(name);
  }, level);
}

function notEmbedded(name: string): ApiError {
  return new ApiError(400, 'PGRST108', `'${name}' is not an embedded resource in this request`, {
    hint: `Verify that '${name}' is included in the 'select' query parameter.`,
  });
}

function orderEmbed(level: ReadLevel, name: string): EmbedPlan {
  const embed = childEmbed(level, name);
  if (!embed) throw notEmbedded(name);
  if (embed.relationship.toOne) return embed;
  throw new ApiError(400, 'PGRST118', `A related order on '${name}' is not possible`, {
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
