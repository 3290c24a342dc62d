/**
 * Reads the audit log as actions: an action of several entries is one group. The entries of a group are those of a run of several
 * requests (`audit-run.ts`), or those of one transaction of a request: they have the same time and request ID. The request ID alone
 * would not do, because all commands of an operator have the same one. All entries of a transaction have a run, or none. An action on a
 * list is listed with the entry that sums it up, and its parts are not read, except with a filter by record.
 */
import type { ActivityEntry, ActivityFilter, ActivityGroup } from '@lanternrock/contract/activity';
import { maxFurtherEntries, maxGroupCount } from '@lanternrock/contract/activity-limits';
import type { Statement, Transaction } from '@lanternrock/postgres';
import { type ActivityGroupPage, compileTimes, createBind, withNames } from './activity.ts';
import { selectInRun } from './activity-runs.ts';
import {
  type ActivityScan,
  type Bind,
  createScan,
  listActionsSql,
  type ScanPosition,
} from './activity-scan.ts';
import { maxRunHours } from '../audit-run.ts';

/** Before all entries. */
const anyTime: ScanPosition = [`'-infinity'::timestamptz`, '0::bigint'];

const request = `coalesce(r.request_id, '')`;

/**
 * Returns a select of the first and the last entry of the group of the entry `alias`. Two requests can have the same time, to the
 * microsecond; their entries are then groups of their own. So the entries between the first and the last one are always those of
 * the group.
 */
const selectBounds = (alias: string): string => `
  select case when bounds.grouped then bounds.first_id else ${alias}.id end as first_id,
      case when bounds.grouped then bounds.last_id else ${alias}.id end as last_id
    from (
      select f.request = z.request and f.request <> '' as grouped, f.id as first_id, z.id as last_id
        from (
          select ${request} as request, r.id from private.audit_log r
            where r.at >= ${alias}.at order by r.at, ${request}, r.id limit 1
        ) f, (
          select ${request} as request, r.id from private.audit_log r
            where r.at <= ${alias}.at order by r.at desc, ${request} desc, r.id desc limit 1
        ) z
    ) bounds`;

interface GroupRange {
  readonly conditions: readonly string[];
  readonly ascending: boolean;
  /** SQL of the ID before which the entries are read. */
  readonly before: string;
  readonly limit: string;
}

/** Returns a select of the matching entries of the group `g`, which is never larger than one transaction. */
const selectInGroup = ({ conditions, ascending, before, limit }: GroupRange): string => {
  const order = ascending ? 'asc' : 'desc';
  const range = [
    `(r.at, ${request}, r.id) >= (g.at, '', 0::bigint)`,
    'r.at <= g.at',
    'r.id >= g.first_id',
    `r.id < ${before}`,
  ];
  const all = [...range, ...conditions.map((condition) => condition.replaceAll(/\bl\./g, 'r.'))];
  return `select r.* from private.audit_log r where ${all.join(' and ')}
    order by r.at ${order}, ${request} ${order}, r.id ${order} limit ${limit}`;
};

/** Returns a select of the position at which a list ends, and one of the state before its first group. */
function selectStart(
  { before, newest }: Pick<ActivityGroupPage, 'before' | 'newest'>,
  end: ScanPosition,
  bind: Bind,
): { readonly ends: string; readonly start: string } {
  const ends =
    newest === undefined
      ? `select ${end.join(', ')}`
      : `select e.at, e.id from (
           select ${end[0]} as at, ${end[1]} as id
           union all
           select n.at, p.last_id + 1 from private.audit_log n cross join lateral (${selectBounds('n')}) p
             where n.id = ${bind(newest, 'bigint')}
         ) e order by e.at, e.id limit 1`;
  const start =
    before === undefined
      ? `select 0, e.at, e.id, e.id, null::uuid, false, false, e.at, e.id from ends e`
      : `select 0, case when b.at < e.at then b.at else e.at end, b.id,
             case when b.at < e.at then p.first_id when b.at = e.at then least(p.first_id, e.id) else e.id end,
             null::uuid, false, false, e.at, e.id
           from ends e cross join private.audit_log b cross join lateral (${selectBounds('b')}) p
           where b.id = ${bind(before, 'bigint')}`;
  return { ends, start };
}

/**
 * Returns a select of the actions on lists that have parts in a period, but whose entry is before it. They are the last groups of the
 * period.
 *
 * @param start the first time of the period
 */
const selectEarlierLists = (scan: ActivityScan, start: string): string => {
  const conditions = [
    `l.action in ${listActionsSql}`,
    `l.at >= ${start} - interval '${maxRunHours} hours'`,
    `l.at < ${start}`,
    ...scan.conditions,
  ];
  const parts = `select from private.audit_log r
    where r.part_of is not null and (r.part_of, r.at, r.id) >= (l.id, ${start}, 0::bigint) and r.part_of = l.id`;
  return `select l.* from private.audit_log l where ${conditions.join(' and ')} and exists (${parts})`;
};

/**
 * Returns a select of the newest matching entry before the last group, and the common table expression that it needs.
 *
 * @param isPeriod true if `from` is the start of a period
 */
function selectNext(
  scan: ActivityScan,
  from: ScanPosition,
  isPeriod: boolean,
): { readonly withLists: string; readonly next: string } {
  const next = scan.select({ before: ['s.at', 's.first_id'], from, limit: '1' });
  if (!isPeriod || scan.recordId !== null) return { withLists: '', next };
  return {
    withLists: `earlier_lists as materialized (${selectEarlierLists(scan, from[0])}),`,
    next: `select l.* from ((${next}) union all (
             select l.* from earlier_lists l where (l.at, l.id) < (s.at, s.first_id) order by l.at desc, l.id desc limit 1
           )) l order by l.at desc, l.id desc limit 1`,
  };
}

/**
 * Returns the statement that selects the rows of the groups of a page. Each step of the recursion finds the newest matching entry
 * before the last group by the index of the filter, so an import costs no more than any other action. A run is listed with its newest
 * matching entry only: a step over its other requests lists nothing.
 */
function selectGroups({ before, newest, limit, ...filter }: ActivityGroupPage): Statement {
  const values: unknown[] = [limit];
  const bind = createBind(values);
  const { from, end } = compileTimes(filter, bind);
  const scan = createScan(filter, bind);
  const { ends, start } = selectStart({ before, newest }, end, bind);
  const { withLists, next } = selectNext(scan, from, filter.from !== undefined);
  const newer = selectInRun({
    alias: 'h',
    scan,
    ascending: true,
    after: ['h.at', 'h.id'],
    before: ['s.end_at', 's.end_id'],
    limit: '1',
  });
  const inGroup = { conditions: scan.conditions, before: 'g.id' };
  const counted = selectInGroup({ ...inGroup, ascending: false, limit: `${maxGroupCount - 1}` });
  const further = selectInGroup({ ...inGroup, ascending: true, limit: `${maxFurtherEntries}` });
  const ofList = { alias: 'g', scan, parts: true, after: anyTime, before: end };
  const countedOfList = selectInRun({ ...ofList, ascending: false, limit: `${maxGroupCount - 1}` });
  const furtherOfList = selectInRun({ ...ofList, ascending: true, limit: `${maxFurtherEntries}` });
  const inRun = { alias: 'g', scan, after: from, before: ['g.at', 'g.id'] as const };
  const countedInRun = selectInRun({ ...inRun, ascending: false, limit: `${maxGroupCount - 1}` });
  const furtherInRun = selectInRun({ ...inRun, ascending: true, limit: `${maxFurtherEntries}` });
  const text = `with recursive ${scan.withTables}
    ${withLists} ends (at, id) as materialized (${ends}),
    heads (number, at, id, first_id, run_id, is_list, listed, end_at, end_id) as (
      ${start}
      union all
      select s.number + case when n.listed then 1 else 0 end, h.at, h.id, p.first_id, h.run_id,
          ${scan.recordId === null} and h.action in ${listActionsSql}, n.listed, s.end_at, s.end_id
        from heads s cross join lateral (${next}) h cross join lateral (${selectBounds('h')}) p
          cross join lateral (select h.run_id is null or (select r.id from (${newer}) r) is null as listed offset 0) n
        where s.number < $1::int
    ), groups as materialized (
      select g.*, 1 + case
          when g.is_list then (select count(*) from (${countedOfList}) c)::int
          when g.run_id is not null then (select count(*) from (${countedInRun}) c)::int
          when g.first_id = g.id then 0
          else (select count(*) from (${counted}) c)::int end as entries
        from heads g where g.number > 0 and g.listed
    )
    select l.*, g.number, g.id as head_id, g.entries
      from groups g cross join lateral (
        (select l.* from private.audit_log l where l.id = g.id)
        union all
        -- One limit for both, because the planner adds up their rows and would join whole tables.
        (select f.* from (
          (select f.* from (select where g.run_id is null and not g.is_list and g.first_id < g.id) o cross join lateral (${further}) f)
          union all
          (select f.* from (select where g.is_list) o cross join lateral (${furtherOfList}) f)
          union all
          (select f.* from (select where g.run_id is not null) o cross join lateral (${furtherInRun}) f)
        ) f limit ${maxFurtherEntries})
      ) l`;
  return { text, values };
}

type GroupRow = ActivityEntry & { readonly head_id: string; readonly entries: number };

/** @returns newest first, at most `limit` groups */
export async function readActivityGroups(tx: Transaction, page: ActivityGroupPage): Promise<ActivityGroup[]> {
  const { text, values } = selectGroups(page);
  const rows = await tx.query<GroupRow>({
    text: withNames({
      page: text,
      columns: ', l.head_id::text, l.entries',
      live: true,
      order: 'l.number, l.id <> l.head_id, l.at, l.id',
    }),
    values,
  });
  const groups: (ActivityGroup & { readonly further: ActivityEntry[] })[] = [];
  for (const { head_id: head, entries: count, ...entry } of rows) {
    if (entry.id === head) groups.push({ ...entry, count, further: [] });
    else groups.at(-1)?.further.push(entry);
  }
  return groups;
}

interface GroupPage extends Omit<ActivityFilter, 'from' | 'to'> {
  /** ID of an entry of the group. */
  readonly group: string;
  /** ID of an entry: returns the entries before it. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** Reads the entries of one group that match the filter. @returns newest first, at most `limit` rows */
export async function readGroupEntries(
  tx: Transaction,
  { group, before, limit, ...filter }: GroupPage,
): Promise<ActivityEntry[]> {
  const values: unknown[] = [limit];
  const bind = createBind(values);
  const scan = createScan(filter, bind);
  const start =
    before === undefined
      ? `select 'infinity'::timestamptz as at, ${maxId} as id`
      : `select n.at, n.id from private.audit_log n where n.id = ${bind(before, 'bigint')}`;
  const ofTransaction = selectInGroup({
    conditions: scan.conditions,
    ascending: false,
    before: 'least(g.last_id + 1, g.end_id)',
    limit: '$1',
  });
  const ofRun = selectInRun({
    alias: 'g',
    scan,
    ascending: false,
    after: [`'-infinity'::timestamptz`, '0::bigint'],
    before: ['g.end_at', 'g.end_id'],
    limit: '$1',
  });
  const ofList = selectInRun({
    alias: 'g',
    scan,
    parts: true,
    ascending: false,
    after: anyTime,
    before: ['g.end_at', 'g.end_id'],
    limit: '$1',
  });
  const text = `with groups as materialized (
      select b.id, b.at, b.run_id, ${scan.recordId === null} and b.action in ${listActionsSql} as is_list,
          p.first_id, p.last_id, e.at as end_at, e.id as end_id
        from (${start}) e cross join private.audit_log b cross join lateral (${selectBounds('b')}) p
        where b.id = ${bind(group, 'bigint')}
    )
    select l.* from groups g cross join lateral (
      (select f.* from (select where g.run_id is null and not g.is_list) o cross join lateral (${ofTransaction}) f)
      union all
      (select f.* from (select where g.is_list) o cross join lateral (${ofList}) f)
      union all
      (select f.* from (select where g.run_id is not null) o cross join lateral (${ofRun}) f)
      limit $1
    ) l`;
  return tx.query<ActivityEntry>({
    text: withNames({ page: text, columns: '', live: true, order: 'l.at desc, l.id desc' }),
    values,
  });
}

const maxId = '9223372036854775807::bigint';
