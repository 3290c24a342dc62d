/** Order, limit and offset of a level as SQL. */
import { compileColumn } from './compile-filter.ts';
import type { SqlBuilder } from './compile-text.ts';
import type { Level, PlannedOrder } from './read-plan.ts';

/** One term of `order by` over a value. */
export function orderTerm(value: string, { direction, nulls }: PlannedOrder): string {
  return `${value}${direction === null ? '' : ` ${direction}`}${nulls === null ? '' : ` nulls ${nulls}`}`;
}

/** The terms of rows called `alias` that no embed is part of. */
export function compileOrder(sql: SqlBuilder, alias: string, order: readonly PlannedOrder[]): string {
  return order.map((term) => orderTerm(compileColumn(sql, alias, term.column), term)).join(', ');
}

/** The level's own limit is never above the most rows; that was settled when its value was read. */
export function limitOf(sql: SqlBuilder, { limit }: Level, maxRows: number): string {
  return `${limit === null ? sql.constant(maxRows) : sql.slot(limit)}::bigint`;
}

/** Null when the level starts at its first row. */
export function offsetOf(sql: SqlBuilder, { offset }: Level): string | null {
  return offset === null ? null : `${sql.slot(offset)}::bigint`;
}
