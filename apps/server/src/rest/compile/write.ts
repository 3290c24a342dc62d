/** Inserts, updates and deletes, each one statement with its representation; wire contract "Writes". */
import { compileLogic } from './filter.ts';
import { compileBody, type BodyShape } from './response-row.ts';
import { compileGuards, type Guards } from './guards.ts';
import { compilePayload } from './payload.ts';
import { compileLevel } from './read.ts';
import { compileExists } from './row-source.ts';
import { SqlBuilder, whereClause, type CompiledStatement } from './sql-builder.ts';
import { listEmbeds, requiredColumns, type PlannedLogic } from '../plan/read-plan.ts';
import type { WriteAction, WritePlan } from '../plan/write-plan.ts';
import { quoteIdentifier, quoteQualifiedName } from '../schema/quote-identifier.ts';

const target = '"w"';
const payloadRows = '"b"';

export interface WriteOptions {
  readonly maxRows: number;
  readonly body: BodyShape;
  readonly guards: Guards;
}

/** Columns of the answer: `page` (rows touched), `inserted`, `location` (key values as JSON) and `body`. */
export function compileWrite(plan: WritePlan, { maxRows, body, guards }: WriteOptions): CompiledStatement {
  const sql = new SqlBuilder();
  const write = compileAction(sql, plan, guards.unfiltered !== null, compileReturning(plan));
  const alias = sql.alias('r');
  const source = { from: `src as ${alias}`, alias, conditions: [] };
  const rows =
    plan.returning === 'rows'
      ? compileLevel(sql, plan.level, source, { maxRows, filtered: false, expandAll: true, windowed: false })
      : `select * from ${source.from}`;
  const value = compileGuards(sql, guards, plan.returning === 'rows' ? compileBody(body) : `''`);
  return sql.finish(
    `with src as (${write}) ` +
      `select count(*)::text as page, ${compileInserted(plan)} as inserted, ${compileLocation(plan)} as location, ${value} as body from (${rows}) as _t`,
  );
}

/** How many rows a merging upsert inserted; empty for every other write. */
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
      // An object without keys changes nothing.
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
 * A condition that always holds and counts rows inserted minus rows updated; in a setting, because a view
 * has no other trace of which it was.
 */
const counting = (step: '+ 1' | '- 1'): string =>
  `set_config('rest.inserted', (coalesce(nullif(current_setting('rest.inserted', true), '')::int, 0) ${step})::text, true) <> ''`;

/** @param key conditions on the row that is written */
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
  // Only `case` keeps a row of another key from being counted: conditions are tried in any order.
  const taken = isKey === '' ? counting('+ 1') : `case when ${isKey} then ${counting('+ 1')} end`;
  return `insert into ${into} ${rows} where ${taken} ${on} do update set ${changes} where ${counting('- 1')}`;
}

/** Only what is read back, so that column grants are enough. */
function compileReturning({ relation, level, returning }: WritePlan): string {
  if (returning === 'nothing') return '1 as "one"';
  if (returning === 'key')
    return relation.primaryKey.map((name) => `${target}.${quoteIdentifier(name)}`).join(', ') || '1 as "one"';
  const names = requiredColumns(level);
  const computed = [...names].filter((name) => !relation.columns.has(name));
  const whole =
    level.items.some((item) => item.kind === 'all') ||
    listEmbeds(level).some((embed) => embed.relationship.routine);
  const plain = whole
    ? [`${target}.*`]
    : [...names].filter((name) => relation.columns.has(name)).map(ofTarget);
  return [...plain, ...computed.map(ofTarget)].join(', ') || '1 as "one"';
}

const ofTarget = (name: string): string => `${target}.${quoteIdentifier(name)}`;

/** The key of the only row, as a JSON array of texts; empty for any other number of rows. */
function compileLocation({ relation, returning }: WritePlan): string {
  if (returning !== 'key' || relation.primaryKey.length === 0) return `''`;
  const values = relation.primaryKey.map((name) => `_t.${quoteIdentifier(name)}::text`).join(', ');
  return `case when count(*) = 1 then (json_agg(json_build_array(${values})) -> 0)::text else '' end`;
}
