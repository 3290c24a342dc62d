/** A checked selection: every name in it is known to the schema cache. */
import type { Aggregate, JsonStep, Operation, OrderTerm, Slot } from './query-types.ts';
import type { Relationship } from '../schema/relationships.ts';
import type { Relation } from '../schema/relation.ts';

export interface ColumnRef {
  readonly name: string;
  readonly path: readonly JsonStep[];
  /** True when the column itself holds JSON, so that its path needs no conversion. */
  readonly isJson: boolean;
  /** True when the column can be searched without `to_tsvector`. */
  readonly isSearchable: boolean;
  /** True when the value at the path's end is text, and not of a type with patterns of its own. */
  readonly isText: boolean;
}

export type OutputItem =
  | { readonly kind: 'all' }
  | {
      readonly kind: 'column';
      /** Null for `count()`. */
      readonly column: ColumnRef | null;
      readonly name: string;
      /** SQL of a type from the cache. */
      readonly cast: string | null;
      readonly aggregate: Aggregate | null;
      readonly aggregateCast: string | null;
    }
  /** A bare `count`: the number of the level's rows, which groups nothing. */
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
  /** `embed=is.null` and `embed=not.is.null`. */
  | { readonly kind: 'match'; readonly embed: EmbedPlan; readonly exists: boolean };

export interface PlannedOrder extends Pick<OrderTerm, 'direction' | 'nulls'> {
  readonly column: ColumnRef;
  readonly embed: EmbedPlan | null;
}

/** One level of a selection: the root, or the rows of an embed. */
export interface ReadLevel {
  /** Null for rows of a function that are no relation's. */
  readonly relation: Relation | null;
  /** True when a function returned the rows: no privilege on the relation is needed to read them. */
  readonly isReturned: boolean;
  /** All columns of the level's rows, where they are known. */
  readonly columnNames: readonly string[];
  readonly items: OutputItem[];
  readonly where: PlannedLogic[];
  order: readonly PlannedOrder[];
  /** Rows; never above the most rows. */
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

/** The embeds of a level, in order. */
export function listEmbeds(level: ReadLevel): EmbedPlan[] {
  return level.items.flatMap((item) => (item.kind === 'embed' ? [item.embed] : []));
}

/** True when rows of the level are grouped: an aggregate of its own, or one of a spread to-one embed. */
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

/** True when a level answers the number of its rows instead of rows. */
export function countsRows(level: ReadLevel): boolean {
  return !isGrouped(level) && level.items.some(({ kind }) => kind === 'count');
}

/** Names that the output, the joins of the embeds and the order of a level read from its rows. */
export function requiredColumns(level: ReadLevel): Set<string> {
  const names = new Set<string>();
  for (const item of level.items) {
    if (item.kind === 'column' && item.column) names.add(item.column.name);
    if (item.kind !== 'embed') continue;
    const { pairs, junction } = item.embed.relationship;
    for (const [own] of junction?.originPairs ?? pairs) names.add(own);
  }
  for (const term of level.order) if (term.embed === null) names.add(term.column.name);
  return names;
}

/**
 * True when the window can be cut before the embeds are joined: they then run for the rows of the page
 * only. Embeds that drop or sort rows forbid it, and so do functions of a whole row.
 */
export function canPaginateBeforeEmbeds(level: ReadLevel): boolean {
  return listEmbeds(level).length > 0 && canLimitBeforeEmbeds(level);
}

/** True when no embed and no function decides which rows are in the window. */
export function canLimitBeforeEmbeds(level: ReadLevel): boolean {
  const embeds = listEmbeds(level);
  if (isGrouped(level) || countsRows(level)) return false;
  if (embeds.some((embed) => embed.inner || embed.relationship.routine)) return false;
  if (level.order.some((term) => term.embed !== null) || level.where.some(testsEmbed)) return false;
  return [...requiredColumns(level)].every((name) => level.columnNames.includes(name));
}

function testsEmbed(node: PlannedLogic): boolean {
  return node.kind === 'match' || (node.kind === 'group' && node.members.some(testsEmbed));
}
