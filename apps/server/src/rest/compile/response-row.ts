/** What surrounds a selection: one answer row with counts and the finished body. */
import { compileGuards, type Guards } from './guards.ts';
import { compileConditions, type RowSource } from './row-source.ts';
import { compileLevel, type ReadOptions } from './read.ts';
import { compileSearch, type Search } from './search.ts';
import { SqlBuilder, whereClause, type CompiledStatement } from './sql-builder.ts';
import { compileLimit, compileOffset } from './order-limit.ts';
import { countsRows, isGrouped, type ReadLevel } from '../plan/read-plan.ts';
import { quoteQualifiedName } from '../schema/quote-identifier.ts';

/** Form of the body. */
export interface BodyShape {
  /** `value` and `values`: the column `"value"` alone, as a scalar function returns it. */
  readonly shape: 'array' | 'object' | 'csv' | 'geojson' | 'none' | 'value' | 'values';
  readonly stripNulls: boolean;
  /** From the schema cache; never null where the shape needs it. */
  readonly asGeoJson: string | null;
}

/** A row of the answer as a whole; its alias alone would mean a column of that name. */
const row = '_t.*';

/** The body as text over rows called `_t`. */
export function compileBody({ shape, stripNulls, asGeoJson }: BodyShape): string {
  const strip = (json: string): string => (stripNulls ? `json_strip_nulls(${json})` : json);
  switch (shape) {
    case 'none':
      return `''`;
    case 'array':
      return `coalesce(${strip(`json_agg(${row})`)}, '[]')::text`;
    case 'object':
      return `coalesce(${strip(`json_agg(${row})`)} -> 0, 'null')::text`;
    case 'value':
      return `coalesce(json_agg(_t."value") -> 0, 'null')::text`;
    case 'values':
      return `coalesce(json_agg(_t."value"), '[]')::text`;
    case 'csv':
      return compileCsv();
    case 'geojson':
      if (asGeoJson === null) throw new Error('GeoJSON without PostGIS');
      return `json_build_object('type', 'FeatureCollection', 'features', coalesce(json_agg(${asGeoJson}(${row})::json), '[]'))::text`;
  }
}

/** A header line from the first row's keys, then each row as Postgres prints it, without its parentheses. No rows, no names. */
function compileCsv(): string {
  const header = `(select string_agg(key, ',') from json_object_keys((array_agg(row_to_json(${row})))[1]) as key)`;
  const line = `substring((${row})::text, 2, length((${row})::text) - 2)`;
  return `coalesce(${header}, '') || E'\\n' || coalesce(string_agg(${line}, E'\\n'), '')`;
}

export interface ResponseRowOptions {
  readonly maxRows: number;
  /** Adds the number of all matching rows; `bounded` stops counting behind the most rows. */
  readonly total: 'none' | 'all' | 'bounded';
  readonly body: BodyShape;
  /** Conditions under which a call that may write undoes itself. */
  readonly guards?: Guards;
}

/** A read of a relation: columns `page`, `total` (empty when not asked for) and `body`. */
export function compileRead(level: ReadLevel, options: ResponseRowOptions): CompiledStatement {
  const { relation } = level;
  if (!relation) throw new Error('A read without a relation');
  const sql = new SqlBuilder();
  const alias = sql.alias('r');
  const source = { from: `${quoteQualifiedName(relation)} as ${alias}`, alias, conditions: [] };
  const search = compileSearch(sql, level, source, options.maxRows);
  return compileReadFrom(sql, level, source, options, search?.prefix, search);
}

/** The same over any rows; `prefix` holds common table expressions, `search` rows found with their help. */
export function compileReadFrom(
  sql: SqlBuilder,
  level: ReadLevel,
  source: RowSource,
  { maxRows, total, body, guards }: ResponseRowOptions,
  prefix = '',
  search: Search | null = null,
): CompiledStatement {
  const options: ReadOptions = { maxRows, filtered: search === null, expandAll: false, windowed: true };
  const rows = compileLevel(sql, level, search?.source ?? source, options);
  const all = (): string =>
    search && total === 'all' ? search.total : compileCount(sql, level, source, options, total === 'bounded');
  const counted = total === 'none' ? `''` : compileTotal(sql, level, options, all());
  const text = compileBody(body);
  const guarded = guards ? compileGuards(sql, guards, text) : text;
  return sql.finish(
    `${prefix}select count(*)::text as page, ${counted} as total, ${guarded} as body from (${rows}) as _t`,
  );
}

/** Counts once more only when the page does not already show where the rows end. */
function compileTotal(sql: SqlBuilder, level: ReadLevel, { maxRows }: ReadOptions, counted: string): string {
  // The page is the number itself; the total stays that of the rows.
  if (countsRows(level)) return `${counted}::text`;
  const limit = compileLimit(level, maxRows);
  const offset = compileOffset(sql, level) ?? '0';
  return `(case when count(*) < ${limit} and (count(*) > 0 or ${offset} = 0)
    then count(*) + ${offset} else ${counted} end)::text`;
}

function compileCount(
  sql: SqlBuilder,
  level: ReadLevel,
  source: RowSource,
  options: ReadOptions,
  bounded: boolean,
): string {
  const conditions = [...source.conditions, ...compileConditions(sql, level, source.alias)];
  const rows = isGrouped(level)
    ? compileLevel(sql, level, source, { ...options, windowed: false })
    : `select 1 from ${source.from}${whereClause(conditions)}`;
  const bound = bounded ? ` limit ${sql.constant(options.maxRows + 1)}::bigint` : '';
  return `(select count(*) from (${rows}${bound}) as _c)`;
}

/** The planner's estimate of a relation's matching rows, as one JSON text. */
export function compileEstimate(level: ReadLevel): CompiledStatement {
  const { relation } = level;
  if (!relation) throw new Error('An estimate without a relation');
  const sql = new SqlBuilder();
  const alias = sql.alias('r');
  const where = whereClause(compileConditions(sql, level, alias));
  return sql.finish(
    `explain (format json) select 1 from ${quoteQualifiedName(relation)} as ${alias}${where}`,
  );
}
