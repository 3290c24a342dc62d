/** Determines the columns that a spread embed adds to its parent, and unused names for internal columns. */
import type { EmbedPlan, ReadLevel, OutputItem } from '../plan/read-plan.ts';
import { quoteIdentifier } from '../schema/quote-identifier.ts';

/** Returns the name of the internal column that is null if a spread embed has no rows. */
export const matchColumnName = (embed: EmbedPlan): string => internalColumnName(embed, 'matched');

/** Returns a quoted name for an internal column that differs from all columns of the spread. */
export function internalColumnName({ level, spread }: EmbedPlan, name: string): string {
  const usedNames = new Set(spread ? spreadColumns(level).map((column) => column.name) : []);
  let candidate = name;
  while (usedNames.has(candidate)) candidate += '_';
  return quoteIdentifier(candidate);
}

export interface SpreadColumn {
  readonly name: string;
  /** Null for JSON values: embeds, and columns of nested to-many spreads. */
  readonly item: Extract<OutputItem, { kind: 'column' }> | null;
}

/** Returns the columns that a spread adds to its parent. */
export function spreadColumns(level: ReadLevel): SpreadColumn[] {
  return level.items.flatMap((item): SpreadColumn[] => {
    switch (item.kind) {
      case 'all':
        return level.columnNames.map((name) => ({ name, item: plainColumn(name) }));
      case 'column':
        return [{ name: item.name, item }];
      case 'count':
        return [{ name: item.name, item: plainColumn(item.name) }];
      case 'embed': {
        const { embed } = item;
        if (!embed.spread) return embed.level.items.length === 0 ? [] : [{ name: embed.name, item: null }];
        const columns = spreadColumns(embed.level);
        return embed.relationship.toOne ? columns : columns.map(({ name }) => ({ name, item: null }));
      }
    }
  });
}

function plainColumn(name: string): Extract<OutputItem, { kind: 'column' }> {
  const column = { name, path: [], isJson: false, isTsvector: false, isText: false };
  return { kind: 'column', column, name, cast: null, aggregate: null, aggregateCast: null };
}
