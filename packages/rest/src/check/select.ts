/** Checks the selected columns and embeds of a read against the schema cache. */
import { RestError } from '../errors.ts';
import { resolveRelationship } from './resolve-relationship.ts';
import {
  findCastType,
  findColumn,
  canReadColumn,
  requireReadable,
  rootRows,
  type CheckContext,
  type LevelRows,
} from './lookups.ts';
import { outputName } from '../parse/select.ts';
import type { SelectColumn, SelectEmbed, SelectItem } from '../plan/query-types.ts';
import {
  countsRows,
  listEmbeds,
  isGrouped,
  type EmbedPlan,
  type ReadLevel,
  type OutputItem,
} from '../plan/read-plan.ts';
import type { Relationship } from '../schema/relationships.ts';

/**
 * Checks the selected items of a level.
 *
 * @param aggregatesInParent true if the parent computes the aggregates, as for a spread to-one embed
 */
export function checkItems(
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
