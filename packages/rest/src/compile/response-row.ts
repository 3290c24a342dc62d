/** Compiles the single result row of a statement: counts and the complete body. */
import { compileGuards, compileSizeGuard, type Guards } from './guards.ts';
import { compileConditions, type RowSource } from './row-source.ts';
import { compileLevel, type ReadOptions } from './read.ts';
import { compileSearch, type Search } from './search.ts';
import { SqlBuilder, whereClause, type CompiledStatement } from './sql-builder.ts';
import { compileLimit, compileOffset } from './order-limit.ts';
import { countsRows, isGrouped, type ReadLevel } from '../plan/read-plan.ts';
import { quoteQualifiedName } from '../schema/quote-identifier.ts';

/** Shape of the body. */
export interface BodyShape {
  /** `value` and `values`: only the column `"value"`, for scalar functions. */
  readonly shape: 'array' | 'object' | 'csv' | 'geojson' | 'none' | 'value' | 'values';
  readonly stripNulls: boolean;
  /** SQL name from the schema cache; never null for the shape `geojson`. */
  readonly asGeoJson: string | null;
  readonly maxBytes: number;
}

/** A whole row of the result. The alias without `.*` would also match a column of that name. */
const row = '_t.*';

/** Returns the body as text, from rows with the alias `_t`. */
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
      if (asGeoJson === null) throw new Error('GeoJSON requires PostGIS');
      return `json_build_object('type', 'FeatureCollection', 'features', coalesce(json_agg(${asGeoJson}(${row})::json), '[]'))::text`;
  }
}

/**
 * Returns CSV: a header line from the keys of the first row, then each row in composite-type format without
 * parentheses. Without rows, the header is empty.
 */
function compileCsv(): string {
  const header = `(select string_agg(key, ',') from json_object_keys((array_agg(row_to_json(${row})))[1]) as key)`;
  const line = `substring((${row})::text, 2, length((${row})::text) - 2)`;
  return `coalesce(${header}, '') || E'\\n' || coalesce(string_agg(${line}, E'\\n'), '')`;
}

/**
 * Returns the SELECT of the result row.
 *
 * @param columns SQL by the names of the columns; `page` is the number of rows
 * @param rows SELECT of the rows, whose alias is `_t`
 */
export function compileResultRow(
  columns: { readonly page: string; readonly [name: string]: string },
  body: string,
  rows: string,
  maxBytes: number,
): string {
  const list = Object.entries({ ...columns, body }).map(([name, value]) => `${value} as ${name}`);
  const results = [...Object.keys(columns), `${compileSizeGuard('body', 'page', maxBytes)} as body`];
  return `select ${results.join(', ')} from (select ${list.join(', ')} from (${rows}) as _t) as _b`;
}

export interface ResponseRowOptions {
  readonly maxRows: number;
  /** Adds the number of all matching rows; `bounded` stops counting above `maxRows`. */
  readonly total: 'none' | 'all' | 'bounded';
  readonly body: BodyShape;
  /** Guards of a call that can write. */
  readonly guards?: Guards;
}

/** Compiles a read of a relation. Result columns: `page`, `total` (empty without a count) and `body`. */
export function compileRead(level: ReadLevel, options: ResponseRowOptions): CompiledStatement {
  const { relation } = level;
  if (!relation) throw new Error('Read without a relation');
  const sql = new SqlBuilder();
  const alias = sql.alias('r');
  const source = { from: `${quoteQualifiedName(relation)} as ${alias}`, alias, conditions: [] };
  const search = compileSearch(sql, level, source, options.maxRows);
  return compileReadFrom(sql, level, { source, prefix: search?.prefix ?? '', search }, options);
}

interface ReadSource {
  readonly source: RowSource;
  /** Common table expressions of the source or the search. */
  readonly prefix: string;
  /** Finds the rows of the page; null to read them from the source. */
  readonly search: Search | null;
}

/** Compiles a read of any row source. */
export function compileReadFrom(
  sql: SqlBuilder,
  level: ReadLevel,
  { source, prefix, search }: ReadSource,
  { maxRows, total, body, guards }: ResponseRowOptions,
): CompiledStatement {
  const options: ReadOptions = {
    maxRows,
    filtered: search === null,
    expandAll: search?.hasComputedColumns ?? false,
    applyLimit: true,
  };
  const rows = compileLevel(sql, level, search?.source ?? source, options);
  const all = (): string =>
    search && total === 'all' ? search.total : compileCount(sql, level, source, options, total === 'bounded');
  const totalSql = total === 'none' ? `''` : compileTotal(sql, level, options, all());
  const bodySql = compileBody(body);
  const guarded = guards ? compileGuards(sql, guards, bodySql) : bodySql;
  const columns = { page: 'count(*)::text', total: totalSql };
  return sql.finish(`${prefix}${compileResultRow(columns, guarded, rows, body.maxBytes)}`);
}

/** Returns the total. Runs the count only if the page does not contain the last row. */
function compileTotal(sql: SqlBuilder, level: ReadLevel, { maxRows }: ReadOptions, countSql: string): string {
  // The page is the row count itself; the total is still the number of rows.
  if (countsRows(level)) return `${countSql}::text`;
  const limit = compileLimit(level, maxRows);
  const offset = compileOffset(sql, level) ?? '0';
  return `(case when count(*) < ${limit} and (count(*) > 0 or ${offset} = 0)
    then count(*) + ${offset} else ${countSql} end)::text`;
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
    ? compileLevel(sql, level, source, { ...options, applyLimit: false })
    : `select 1 from ${source.from}${whereClause(conditions)}`;
  const bound = bounded ? ` limit ${sql.constant(options.maxRows + 1)}::bigint` : '';
  return `(select count(*) from (${rows}${bound}) as _c)`;
}

/** Compiles a statement that returns the planner's estimate of matching rows as JSON text. */
export function compileEstimate(level: ReadLevel): CompiledStatement {
  const { relation } = level;
  if (!relation) throw new Error('Estimate without a relation');
  const sql = new SqlBuilder();
  const alias = sql.alias('r');
  const where = whereClause(compileConditions(sql, level, alias));
  return sql.finish(
    `explain (format json) select 1 from ${quoteQualifiedName(relation)} as ${alias}${where}`,
  );
}
