/**
 * Compiles scans of the audit log. Each filter has an index in the order of the list (`db/schema.sql`), so the cost of a page does
 * not depend on the number of entries.
 */
import { activityTables, type ActivityFilter } from '@lanternrock/contract/activity';

/** The conditions of the partial indexes: entries that are no part of an action on a list, and those that are. */
const noParts = 'l.part_of is null';
const onlyParts = 'l.part_of is not null';

/** Actions of the entries that sum up an action on a list. */
export const listActionsSql = `('list_invited', 'list_resent', 'list_revoked')`;

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
  /** Returns a select as `select`, which also has the parts of actions on lists. */
  readonly selectAll: (range: ScanRange) => string;
  /** SQL of the record of the filter; null without one. It selects parts of actions on lists as well. */
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
  /** The condition of a partial index. */
  readonly partial?: string;
}

/**
 * Compiles a scan. Conditions on rows instead of columns, and an order that begins with the fixed columns, leave the planner
 * one index. With `=`, it walks all entries from the newest if it expects many matches, and reads the whole log if they are
 * older than an import. The end of the range is checked outside: Postgres before version 18 stops an index scan at the first
 * column of a row comparison only, and would walk all other tables of a person.
 */
function compileScan({ prefix, before, from, limit, conditions = [], partial = 'true' }: IndexScan): string {
  const position = [...prefix.map(([column]) => column), 'l.at', 'l.id'];
  const compare = (operator: string, at: readonly string[]): string =>
    `(${position.join(', ')}) ${operator} (${[...prefix.map(([, value]) => value), ...at].join(', ')})`;
  const order = position.map((column) => `${column} desc`).join(', ');
  const scan = (all: readonly string[]): string =>
    `select l.* from private.audit_log l where ${[partial, ...all].join(' and ')} order by ${order} limit ${limit}`;
  if (conditions.length > 0) return scan([compare('<', before), compare('>=', from), ...conditions]);
  return `select l.* from (${scan([compare('<', before)])}) l where ${compare('>=', from)}`;
}

/** SQL of the tables of a person's entries. Each step of the recursion finds the next one by the index. */
const compileTables = (userId: string, partial: string): string => {
  // As in `compileScan`: with `=`, the planner can read and sort all entries of the person.
  const next = (after: string): string =>
    `(select case when l.person = ${userId} then l.table_name end from (
       select ${person} as person, l.table_name from private.audit_log l
         where (${person}, l.table_name) > (${userId}, ${after}) and ${partial}
         order by ${person}, l.table_name limit 1) l)`;
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
    const select: ActivityScan['select'] = (range) => compileScan({ ...range, prefix, conditions: others });
    return {
      withTables: '',
      select,
      selectAll: select,
      conditions: [`${record} = ${recordId}`, ...others],
      recordId,
    };
  }
  /** Adds the parts, which have indexes of their own. */
  const withParts =
    (select: (range: ScanRange, partial: string) => string): ActivityScan['selectAll'] =>
    (range) =>
      `select l.* from ((${select(range, noParts)}) union all (${select(range, onlyParts)})) l
         order by l.at desc, l.id desc limit ${range.limit}`;
  if (userId === null && tables === null) {
    const scan = (range: ScanRange, partial: string): string =>
      compileScan({ ...range, prefix: [], partial });
    return {
      withTables: '',
      select: (range) => scan(range, noParts),
      selectAll: withParts(scan),
      conditions: [],
      recordId,
    };
  }
  const prefix = [
    ...(userId === null ? [] : [[person, userId] as const]),
    ['l.table_name', 't.name'] as const,
  ];
  const tableNames = (partial: string): string =>
    tables === null ? compileTables(userId ?? '', partial) : `select unnest(${tables})`;
  const scan = (range: ScanRange, partial: string): string =>
    `select l.* from ${partial === noParts ? 'activity_tables' : `(${tableNames(partial)})`} t (name)
       cross join lateral (${compileScan({ ...range, prefix, partial })}) l
       order by l.at desc, l.id desc limit ${range.limit}`;
  return {
    withTables: `activity_tables (name) as materialized (${tableNames(noParts)}),`,
    select: (range) => scan(range, noParts),
    selectAll: withParts(scan),
    conditions: others,
    recordId,
  };
}
