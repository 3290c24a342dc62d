/** What surrounds a selection: one answer row with counts and the finished body. */
import { compileConditions, type RowSource } from './compile-source.ts';
import { compileLevel, type ReadOptions } from './compile-read.ts';
import { qualified, SqlBuilder, type Compiled } from './compile-text.ts';
import { isGrouped, type Level } from './read-plan.ts';

/** Form of the body. */
export interface BodyForm {
  readonly shape: 'array' | 'object' | 'csv' | 'none';
  readonly stripNulls: boolean;
}

/** The body as text over rows called `rows`. */
export function compileBody({ shape, stripNulls }: BodyForm, rows: string): string {
  const strip = (json: string): string => (stripNulls ? `json_strip_nulls(${json})` : json);
  switch (shape) {
    case 'none':
      return `''`;
    case 'array':
      return `coalesce(${strip(`json_agg(${rows})`)}, '[]')::text`;
    case 'object':
      return `coalesce(${strip(`json_agg(${rows})`)} -> 0, 'null')::text`;
    case 'csv':
      return compileCsv(rows);
  }
}

/** A header line from the first row's keys, then each row as Postgres prints it, without its parentheses. */
function compileCsv(rows: string): string {
  const header = `(select string_agg(key, ',') from json_object_keys((array_agg(row_to_json(${rows})))[1]) as key)`;
  const line = `substring(${rows}::text, 2, length(${rows}::text) - 2)`;
  return `coalesce(${header} || E'\\n', '') || coalesce(string_agg(${line}, E'\\n'), '')`;
}

export interface FrameOptions {
  readonly maxRows: number;
  /** Adds the number of all matching rows. */
  readonly total: boolean;
  readonly body: BodyForm;
}

/** A read of a relation: columns `page`, `total` (empty when not asked for) and `body`. */
export function compileRead(level: Level, options: FrameOptions): Compiled {
  const { relation } = level;
  if (!relation) throw new Error('A read without a relation');
  const sql = new SqlBuilder();
  const alias = sql.alias('r');
  return compileReadFrom(sql, level, { from: `${qualified(relation)} as ${alias}`, alias, conditions: [] }, options);
}

/** The same over any rows; `prefix` holds common table expressions. */
export function compileReadFrom(
  sql: SqlBuilder,
  level: Level,
  source: RowSource,
  { maxRows, total, body }: FrameOptions,
  prefix = '',
): Compiled {
  const options: ReadOptions = { maxRows, filtered: true, expandAll: false, windowed: true };
  const rows = compileLevel(sql, level, source, options);
  const counted = total ? compileTotal(sql, level, source, options) : `''`;
  return sql.finish(
    `${prefix}select count(_t)::text as page, ${counted} as total, ${compileBody(body, '_t')} as body from (${rows}) as _t`,
  );
}

/** Counts once more only when the page does not already show where the rows end. */
function compileTotal(sql: SqlBuilder, level: Level, source: RowSource, options: ReadOptions): string {
  const limit = level.limit === null ? sql.constant(options.maxRows) : sql.slot(level.limit);
  const offset = level.offset === null ? '0' : `${sql.slot(level.offset)}::bigint`;
  const all = isGrouped(level)
    ? `(select count(*) from (${compileLevel(sql, level, source, { ...options, windowed: false })}) as _g)`
    : compileCount(sql, level, source);
  return `(case when count(_t) < ${limit}::bigint and (count(_t) > 0 or ${offset} = 0)
    then count(_t) + ${offset} else ${all} end)::text`;
}

function compileCount(sql: SqlBuilder, level: Level, source: RowSource): string {
  const conditions = [...source.conditions, ...compileConditions(sql, level, source.alias)];
  return `(select count(*) from ${source.from}${conditions.length > 0 ? ` where ${conditions.join(' and ')}` : ''})`;
}

/** The planner's estimate of a relation's matching rows, as one JSON text. */
export function compileEstimate(level: Level): Compiled {
  const { relation } = level;
  if (!relation) throw new Error('An estimate without a relation');
  const sql = new SqlBuilder();
  const alias = sql.alias('r');
  const conditions = compileConditions(sql, level, alias);
  const where = conditions.length > 0 ? ` where ${conditions.join(' and ')}` : '';
  return sql.finish(`explain (format json) select 1 from ${qualified(relation)} as ${alias}${where}`);
}
