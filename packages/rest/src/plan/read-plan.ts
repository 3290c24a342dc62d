/** Plan of a read. All names exist in the schema cache. */
import {
  isPatternOperator,
  type Aggregate,
  type JsonStep,
  type Operation,
  type OrderTerm,
  type Slot,
} from './query-types.ts';
import type { Relationship } from '../schema/relationships.ts';
import type { Relation } from '../schema/relation.ts';

export interface ColumnRef {
  readonly name: string;
  readonly path: readonly JsonStep[];
  /** True if the column type is JSON, so its path needs no conversion. */
  readonly isJson: boolean;
  /** True for a tsvector column, which text search reads without `to_tsvector`. */
  readonly isTsvector: boolean;
  /**
   * True if the value at the end of the path has a text type, for which the pattern operators have their standard
   * meaning.
   */
  readonly isText: boolean;
}

export type OutputItem =
  | { readonly kind: 'all' }
  | {
      readonly kind: 'column';
      /** Null for `count()`. */
      readonly column: ColumnRef | null;
      readonly name: string;
      /** SQL of a type, from the schema cache. */
      readonly cast: string | null;
      readonly aggregate: Aggregate | null;
      readonly aggregateCast: string | null;
    }
  /** `count` without a column: the number of rows of the level, without grouping. */
  | { readonly kind: 'count'; readonly name: string; readonly cast: string | null }
  | { readonly kind: 'embed'; readonly embed: EmbedPlan };

export type PlannedLogic =
  | { readonly kind: 'condition'; readonly column: ColumnRef; readonly operation: Operation }
  | {
      readonly kind: 'group';
      readonly operator: 'and' | 'or';
      readonly negated: boolean;
      readonly members: readonly PlannedLogic[];
    }
  /** The filters `embed=is.null` and `embed=not.is.null`. */
  | { readonly kind: 'match'; readonly embed: EmbedPlan; readonly exists: boolean };

export interface PlannedOrder extends Pick<OrderTerm, 'direction' | 'nulls'> {
  readonly column: ColumnRef;
  readonly embed: EmbedPlan | null;
}

/** One level of a read: the root or an embed. */
export interface ReadLevel {
  /** Null for rows of a function that does not return a relation. */
  readonly relation: Relation | null;
  /** True if a function returns the rows: reading them needs no privilege on the relation. */
  readonly isReturned: boolean;
  /** All columns of the rows, as far as they are known. */
  readonly columnNames: readonly string[];
  readonly items: OutputItem[];
  readonly where: PlannedLogic[];
  order: readonly PlannedOrder[];
  /** Number of rows; at most `MAX_ROWS`. Null without a limit. */
  limit: number | null;
  offset: Slot | null;
}

export interface EmbedPlan {
  readonly name: string;
  readonly relationship: Relationship;
  readonly inner: boolean;
  readonly spread: boolean;
  readonly level: ReadLevel;
}

/** Returns the embeds of a level, in order. */
export function listEmbeds(level: ReadLevel): EmbedPlan[] {
  return level.items.flatMap((item) => (item.kind === 'embed' ? [item.embed] : []));
}

/** Returns true if the level has an aggregate, or contains a spread to-one embed with an aggregate. */
export function isGrouped(level: ReadLevel): boolean {
  return level.items.some((item) => {
    if (item.kind === 'column') return item.aggregate !== null;
    return (
      item.kind === 'embed' &&
      item.embed.spread &&
      item.embed.relationship.toOne &&
      isGrouped(item.embed.level)
    );
  });
}

/** Returns true if the level returns the number of its rows instead of the rows. */
export function countsRows(level: ReadLevel): boolean {
  return !isGrouped(level) && level.items.some(({ kind }) => kind === 'count');
}

/** Returns true if the level selects `*`. */
export function selectsAll(level: ReadLevel): boolean {
  return level.items.some(({ kind }) => kind === 'all');
}

/** Returns the columns that the named items, the joins of the embeds and the order of a level use: without those of `*`. */
export function listRequiredColumns(level: ReadLevel): Set<string> {
  const names = new Set<string>();
  for (const item of level.items) {
    if (item.kind === 'column' && item.column) names.add(item.column.name);
    if (item.kind !== 'embed') continue;
    const { pairs, junction } = item.embed.relationship;
    for (const [column] of junction?.originPairs ?? pairs) names.add(column);
  }
  for (const term of level.order) if (term.embed === null) names.add(term.column.name);
  return names;
}

/**
 * Returns true if limit and offset can be applied before the embeds are joined, so the embeds run for the rows of the
 * page only. False for embeds that filter or sort the rows, and for functions of a row.
 */
export function canPaginateBeforeEmbeds(level: ReadLevel): boolean {
  return (
    listEmbeds(level).length > 0 &&
    isPageIndependentOfEmbeds(level) &&
    [...listRequiredColumns(level)].every((name) => level.columnNames.includes(name))
  );
}

/** Returns true if the rows of the page do not depend on an embed. */
function isPageIndependentOfEmbeds(level: ReadLevel): boolean {
  const embeds = listEmbeds(level);
  if (isGrouped(level) || countsRows(level)) return false;
  if (embeds.some((embed) => embed.inner || embed.relationship.routine)) return false;
  return level.order.every((term) => term.embed === null) && !level.where.some(testsEmbed);
}

/**
 * Returns true for a pattern with an order, if the page does not depend on an embed. The planner cannot estimate the number of
 * matches, so the statement first tries the first rows in the order (`compileSearch`).
 */
export function isOrderedSearch(level: ReadLevel): boolean {
  return level.order.length > 0 && isPageIndependentOfEmbeds(level) && level.where.some(hasPattern);
}

/** Returns true if the condition contains a pattern. */
export function hasPattern(node: PlannedLogic): boolean {
  if (node.kind === 'group') return node.members.some(hasPattern);
  return (
    node.kind === 'condition' &&
    node.operation.kind === 'compare' &&
    isPatternOperator(node.operation.operator)
  );
}

function testsEmbed(node: PlannedLogic): boolean {
  return node.kind === 'match' || (node.kind === 'group' && node.members.some(testsEmbed));
}
