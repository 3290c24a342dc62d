/** Order, limit and offset of a level as SQL. */
import { compileColumn } from './filter.ts';
import type { SqlBuilder } from './sql-builder.ts';
import type { ReadLevel, PlannedOrder } from '../plan/read-plan.ts';

/** One term of `order by` over a value. */
export function compileOrderTerm(value: string, { direction, nulls }: PlannedOrder): string {
  return `${value}${direction === null ? '' : ` ${direction}`}${nulls === null ? '' : ` nulls ${nulls}`}`;
}

/** The terms of rows called `alias` that no embed is part of. */
export function compileOrder(sql: SqlBuilder, alias: string, order: readonly PlannedOrder[]): string {
  return order.map((term) => compileOrderTerm(compileColumn(sql, alias, term.column), term)).join(', ');
}

/**
 * The one number that is written into a statement: with it bound, Postgres plans every page anew, which
 * took half as long as the page (docs/benchmarks.md).
 */
export function compileLimit({ limit }: ReadLevel, maxRows: number): string {
  const rows = Math.min(limit ?? maxRows, maxRows);
  if (!Number.isSafeInteger(rows) || rows < 0) throw new Error('A limit is a whole number of rows');
  return `${rows}::bigint`;
}

/** Null when the level starts at its first row. */
export function compileOffset(sql: SqlBuilder, { offset }: ReadLevel): string | null {
  return offset === null ? null : `${sql.slot(offset)}::bigint`;
}

/** ` limit …`, and ` offset …` where the level starts behind its first row. */
export function compileLimitOffset(sql: SqlBuilder, level: ReadLevel, maxRows: number): string {
  const offset = compileOffset(sql, level);
  return ` limit ${compileLimit(level, maxRows)}${offset === null ? '' : ` offset ${offset}`}`;
}
