/** Compiles inserts, updates and deletes, including their representation, to one statement. */
import { compileLogic } from './filter.ts';
import { compileBody, compileResultRow, type BodyShape } from './response-row.ts';
import { compileGuards, type Guards } from './guards.ts';
import { compilePayload } from './payload.ts';
import { compileLevel } from './read.ts';
import { compileExists } from './row-source.ts';
import { SqlBuilder, whereClause, type CompiledStatement } from './sql-builder.ts';
import { listEmbeds, listRequiredColumns, selectsAll, type PlannedLogic } from '../plan/read-plan.ts';
import type { WriteAction, WritePlan } from '../plan/write-plan.ts';
import { quoteIdentifier, quoteQualifiedName } from '../schema/quote-identifier.ts';

const target = '"w"';
const payloadRows = '"b"';

export interface WriteOptions {
  readonly maxRows: number;
  readonly body: BodyShape;
  readonly guards: Guards;
}

/** Compiles a write. Result columns: `page` (affected rows), `inserted`, `location` (key values as JSON) and `body`. */
export function compileWrite(plan: WritePlan, { maxRows, body, guards }: WriteOptions): CompiledStatement {
  const sql = new SqlBuilder();
  const write = compileAction(sql, plan, guards.unfiltered !== null, compileReturning(plan));
  const alias = sql.alias('r');
  const source = { from: `src as ${alias}`, alias, conditions: [] };
  const rows =
    plan.returning === 'rows'
      ? compileLevel(sql, plan.level, source, {
          maxRows,
          filtered: false,
          expandAll: true,
          applyLimit: false,
        })
      : `select * from ${source.from}`;
  const value = compileGuards(sql, guards, plan.returning === 'rows' ? compileBody(body) : `''`);
  const columns = {
    page: 'count(*)::text',
    inserted: compileInserted(plan),
    location: compileLocation(plan),
  };
  return sql.finish(`with src as (${write}) ${compileResultRow(columns, value, rows, body.maxBytes)}`);
}

/** Returns SQL of the number of rows inserted by a merging upsert; empty for other writes. */
function compileInserted({ action }: WritePlan): string {
  if (action.kind !== 'insert' || action.conflict?.action !== 'merge') return `''`;
  if (action.payload.columns.length === 0) return 'count(*)::text';
  return `coalesce(nullif(current_setting('rest.inserted', true), ''), '0')`;
}

function compileAction(sql: SqlBuilder, plan: WritePlan, unfiltered: boolean, returned: string): string {
  const { action, relation } = plan;
  const table = `${quoteQualifiedName(relation)} as ${target}`;
  switch (action.kind) {
    case 'insert':
      return `${compileInsert(sql, table, action, action.keyed ? plan.level.where : [])} returning ${returned}`;
    case 'delete':
      return `delete from ${table}${compileWhere(sql, plan, unfiltered)} returning ${returned}`;
    case 'update': {
      const { columns } = action.payload;
      // An empty object changes no rows.
      if (columns.length === 0) return `select ${returned} from ${table} where false`;
      const changes = columns.map(
        ({ name }) => `${quoteIdentifier(name)} = ${payloadRows}.${quoteIdentifier(name)}`,
      );
      const from = `(${compilePayload(sql, action.payload)} limit 1) as ${payloadRows}`;
      return `update ${table} set ${changes.join(', ')} from ${from}${compileWhere(sql, plan, unfiltered)} returning ${returned}`;
    }
  }
}

function compileWhere(sql: SqlBuilder, { level }: WritePlan, unfiltered: boolean): string {
  if (unfiltered) return ' where false';
  const match = compileExists(sql, target);
  return whereClause(level.where.map((node) => compileLogic(sql, target, node, match)));
}

/**
 * Returns a condition that is always true and counts inserted minus updated rows. The count is kept in a setting, because
 * for a view the statement cannot distinguish inserts from updates in any other way.
 */
const countInSetting = (step: '+ 1' | '- 1'): string =>
  `set_config('rest.inserted', (coalesce(nullif(current_setting('rest.inserted', true), '')::int, 0) ${step})::text, true) <> ''`;

/**
 * Compiles an insert or upsert.
 *
 * @param key conditions that the written row must meet
 */
function compileInsert(
  sql: SqlBuilder,
  table: string,
  { payload, conflict }: Extract<WriteAction, { kind: 'insert' }>,
  key: readonly PlannedLogic[],
): string {
  const names = payload.columns.map(({ name }) => quoteIdentifier(name));
  const into = names.length > 0 ? `${table} (${names.join(', ')})` : table;
  const rows = `select * from (${compilePayload(sql, payload)}) as ${payloadRows}`;
  if (!conflict) return `insert into ${into} ${rows}`;
  const on = `on conflict (${conflict.target.map(quoteIdentifier).join(', ')})`;
  if (conflict.action === 'ignore' || names.length === 0)
    return `insert into ${into} ${rows} ${on} do nothing`;
  const changes = names.map((name) => `${name} = excluded.${name}`).join(', ');
  const match = compileExists(sql, payloadRows);
  const isKey = key.map((node) => compileLogic(sql, payloadRows, node, match)).join(' and ');
  // CASE, because Postgres evaluates conditions in any order and must not count rows with a different key.
  const counted =
    isKey === '' ? countInSetting('+ 1') : `case when ${isKey} then ${countInSetting('+ 1')} end`;
  return `insert into ${into} ${rows} where ${counted} ${on} do update set ${changes} where ${countInSetting('- 1')}`;
}

/** Returns only the columns that are read, so column privileges are sufficient. */
function compileReturning({ relation, level, returning }: WritePlan): string {
  if (returning === 'nothing') return '1 as "one"';
  if (returning === 'key')
    return relation.primaryKey.map((name) => `${target}.${quoteIdentifier(name)}`).join(', ') || '1 as "one"';
  const names = listRequiredColumns(level);
  const computed = [...names].filter((name) => !relation.columns.has(name));
  const tableColumns =
    selectsAll(level) || listEmbeds(level).some((embed) => embed.relationship.routine)
      ? [`${target}.*`]
      : [...names].filter((name) => relation.columns.has(name)).map(targetColumn);
  return [...tableColumns, ...computed.map(targetColumn)].join(', ') || '1 as "one"';
}

const targetColumn = (name: string): string => `${target}.${quoteIdentifier(name)}`;

/** Returns SQL of the key as a JSON array of texts if exactly one row was written, otherwise an empty string. */
function compileLocation({ relation, returning }: WritePlan): string {
  if (returning !== 'key' || relation.primaryKey.length === 0) return `''`;
  const values = relation.primaryKey.map((name) => `_t.${quoteIdentifier(name)}::text`).join(', ');
  return `case when count(*) = 1 then (json_agg(json_build_array(${values})) -> 0)::text else '' end`;
}
