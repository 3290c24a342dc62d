/**
 * Compiles scans of the audit log. Each filter has an index in the order of the list (`db/schema.sql`), so the cost of a page does
 * not depend on the number of entries.
 */
import { activityTables, type ActivityFilter } from '@lanternrock/contract/activity';

/** The expressions of the indexes. */
const person = 'coalesce(l.actor::text, l.origin)';
export const compileRecord = (alias: string): string => `coalesce(
  coalesce(${alias}.after, ${alias}.before) ->> 'account_id',
  case when ${alias}.table_name in ('public.user_roles', 'auth.mfa_factors', 'auth.sessions')
    then coalesce(${alias}.after, ${alias}.before) ->> 'user_id' end,
  ${alias}.row_id)`;
export const record = compileRecord('l');

/** SQL of a position in the list. */
export type ScanPosition = readonly [at: string, id: string];

interface ScanRange {
  /** Exclusive. */
  readonly before: ScanPosition;
  readonly from: ScanPosition;
  /** SQL of the maximum number of rows. */
  readonly limit: string;
}

export interface ActivityScan {
  /** The common table expression that `select` needs; '' for none. Precedes others, so it ends with a comma. */
  readonly withTables: string;
  /** Returns a select of the matching entries in a range, newest first. */
  readonly select: (range: ScanRange) => string;
  /** The conditions of the filter on an entry. */
  readonly conditions: readonly string[];
  /** SQL of the record of the filter; null without one. */
  readonly recordId: string | null;
}

/** Adds a value of a statement and returns its placeholder. */
export type Bind = (value: unknown, type: string) => string;

/** A scan of one index whose first columns have a fixed value. */
interface IndexScan extends ScanRange {
  /** SQL of each of these columns, and of its value. */
  readonly prefix: readonly (readonly [column: string, value: string])[];
  /** Further conditions, which no index has. */
  readonly conditions?: readonly string[];
}

/**
 * Compiles a scan. Conditions on rows instead of columns, and an order that begins with the fixed columns, leave the planner
 * one index. With `=`, it walks all entries from the newest if it expects many matches, and reads the whole log if they are
 * older than an import. The end of the range is checked outside: Postgres before version 18 stops an index scan at the first
 * column of a row comparison only, and would walk all other tables of a person.
 */
function compileScan({ prefix, before, from, limit, conditions = [] }: IndexScan): string {
  const position = [...prefix.map(([column]) => column), 'l.at', 'l.id'];
  const compare = (operator: string, at: readonly string[]): string =>
    `(${position.join(', ')}) ${operator} (${[...prefix.map(([, value]) => value), ...at].join(', ')})`;
  const order = position.map((column) => `${column} desc`).join(', ');
  const scan = (all: readonly string[]): string =>
    `select l.* from private.audit_log l where ${all.join(' and ')} order by ${order} limit ${limit}`;
  if (conditions.length > 0) return scan([compare('<', before), compare('>=', from), ...conditions]);
  return `select l.* from (${scan([compare('<', before)])}) l where ${compare('>=', from)}`;
}

/** SQL of the tables of a person's entries. Each step of the recursion finds the next one by the index. */
const compileTables = (userId: string): string => {
  const next = (after: string): string =>
    `(select l.table_name from private.audit_log l
       where ${person} = ${userId} and l.table_name > ${after} order by l.table_name limit 1)`;
  return `with recursive tables (name) as (
      select ${next(`''`)}
      union all
      select ${next('tables.name')} from tables where tables.name is not null
    ) select name from tables where name is not null`;
};

/** Creates the scan of a filter, without its times: one index scan, or one for each table of the kind. */
export function createScan({ kind, ...filter }: ActivityFilter, bind: Bind): ActivityScan {
  const tables = kind === undefined ? null : bind(activityTables[kind], 'text[]');
  const userId = filter.person === undefined ? null : bind(filter.person, 'text');
  const recordId = filter.record === undefined ? null : bind(filter.record, 'text');
  const others = [
    ...(tables === null ? [] : [`l.table_name = any (${tables})`]),
    ...(userId === null ? [] : [`${person} = ${userId}`]),
  ];
  if (recordId !== null) {
    const prefix = [[record, recordId]] as const;
    return {
      withTables: '',
      select: (range) => compileScan({ ...range, prefix, conditions: others }),
      conditions: [`${record} = ${recordId}`, ...others],
      recordId,
    };
  }
  if (userId === null && tables === null)
    return {
      withTables: '',
      select: (range) => compileScan({ ...range, prefix: [] }),
      conditions: [],
      recordId,
    };
  const prefix = [
    ...(userId === null ? [] : [[person, userId] as const]),
    ['l.table_name', 't.name'] as const,
  ];
  const names = tables === null ? compileTables(userId ?? '') : `select unnest(${tables})`;
  return {
    withTables: `activity_tables (name) as materialized (${names}),`,
    select: (range) =>
      `select l.* from activity_tables t cross join lateral (${compileScan({ ...range, prefix })}) l
         order by l.at desc, l.id desc limit ${range.limit}`,
    conditions: others,
    recordId,
  };
}
