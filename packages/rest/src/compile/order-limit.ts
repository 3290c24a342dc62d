/** Compiles order, limit and offset of a level to SQL. */
import { compileColumn } from './filter.ts';
import type { SqlBuilder } from './sql-builder.ts';
import type { ReadLevel, PlannedOrder } from '../plan/read-plan.ts';

/** Returns one term of ORDER BY. */
export function compileOrderTerm(value: string, { direction, nulls }: PlannedOrder): string {
  return `${value}${direction === null ? '' : ` ${direction}`}${nulls === null ? '' : ` nulls ${nulls}`}`;
}

/** Returns the order terms of the rows with this alias, without embeds. */
export function compileOrder(sql: SqlBuilder, alias: string, order: readonly PlannedOrder[]): string {
  return order.map((term) => compileOrderTerm(compileColumn(sql, alias, term.column), term)).join(', ');
}

/**
 * Returns the limit as a literal. It is the only number that is not a parameter: with a parameter, Postgres replans each
 * page, which takes half as long as running it.
 */
export function compileLimit({ limit }: ReadLevel, maxRows: number): string {
  const rows = Math.min(limit ?? maxRows, maxRows);
  if (!Number.isSafeInteger(rows) || rows < 0) throw new Error('A limit is a whole number of rows');
  return `${rows}::bigint`;
}

/** Returns the offset; null without one. */
export function compileOffset(sql: SqlBuilder, { offset }: ReadLevel): string | null {
  return offset === null ? null : `${sql.slot(offset)}::bigint`;
}

/** Returns ` limit …`, followed by ` offset …` if the level has an offset. */
export function compileLimitOffset(sql: SqlBuilder, level: ReadLevel, maxRows: number): string {
  const offset = compileOffset(sql, level);
  return ` limit ${compileLimit(level, maxRows)}${offset === null ? '' : ` offset ${offset}`}`;
}
