/** What a spread embed lifts into its parent, and names for columns of ours beside those. */
import type { EmbedPlan, ReadLevel, OutputItem } from '../plan/read-plan.ts';
import { quoteIdentifier } from '../schema/quote-identifier.ts';

/** Of the column that tells whether a spread embed has rows. */
export const matchColumnName = (embed: EmbedPlan): string => internalColumnName(embed, 'matched');

/** A name for a column of ours beside those that a spread lifts, which may be called anything. */
export function internalColumnName({ level, spread }: EmbedPlan, name: string): string {
  const taken = new Set(spread ? spreadColumns(level).map((column) => column.name) : []);
  let own = name;
  while (taken.has(own)) own += '_';
  return quoteIdentifier(own);
}

export interface SpreadColumn {
  readonly name: string;
  /** Null for what is JSON: embeds, and columns of further to-many spreads. */
  readonly item: Extract<OutputItem, { kind: 'column' }> | null;
}

/** The columns that a spread lifts into its parent. */
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
  const column = { name, path: [], isJson: false, isSearchable: false, isText: false };
  return { kind: 'column', column, name, cast: null, aggregate: null, aggregateCast: null };
}
