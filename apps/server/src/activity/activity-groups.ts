/**
 * Reads the audit log as actions: an action of several entries is one group. The entries of a group are those of one transaction of a
 * request: they have the same time and request ID. The request ID alone would not do, because all commands of an operator have the
 * same one.
 */
import type { ActivityEntry, ActivityFilter, ActivityGroup } from '@lanternrock/contract/activity';
import { maxFurtherEntries, maxGroupCount } from '@lanternrock/contract/activity-limits';
import type { Statement, Transaction } from '@lanternrock/postgres';
import { type ActivityPage, compileTimes, createBind, withNames } from './activity.ts';
import { createScan } from './activity-scan.ts';

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

/**
 * Returns the statement that selects the rows of the groups of a page. Each step of the recursion finds the newest matching entry
 * before the last group by the index of the filter, so an import costs no more than any other action.
 */
function selectGroups({ before, limit, ...filter }: ActivityPage): Statement {
  const values: unknown[] = [limit];
  const bind = createBind(values);
  const { from, end } = compileTimes(filter, bind);
  const scan = createScan(filter, bind);
  const start =
    before === undefined
      ? `select 0, ${end[0]}, ${end[1]}, ${end[1]}`
      : `select 0, case when b.at < ${end[0]} then b.at else ${end[0]} end, b.id,
             case when b.at < ${end[0]} then p.first_id else 0 end
           from private.audit_log b cross join lateral (${selectBounds('b')}) p
           where b.id = ${bind(before, 'bigint')}`;
  const next = scan.select({ before: ['s.at', 's.first_id'], from, limit: '1' });
  const inGroup = { conditions: scan.conditions, before: 'g.id' };
  const counted = selectInGroup({ ...inGroup, ascending: false, limit: `${maxGroupCount - 1}` });
  const further = selectInGroup({ ...inGroup, ascending: true, limit: `${maxFurtherEntries}` });
  const text = `with recursive ${scan.withTables}
    heads (number, at, id, first_id) as (
      ${start}
      union all
      select s.number + 1, h.at, h.id, p.first_id
        from heads s cross join lateral (${next}) h cross join lateral (${selectBounds('h')}) p
        where s.number < $1::int
    ), groups as materialized (
      select g.*, case when g.first_id = g.id then 1 else 1 + (select count(*) from (${counted}) c)::int end as entries
        from heads g where g.number > 0
    )
    select l.*, g.number, g.id as head_id, g.entries
      from groups g cross join lateral (
        (select l.* from private.audit_log l where l.id = g.id)
        union all
        (select f.* from (select where g.first_id < g.id) o cross join lateral (${further}) f)
      ) l`;
  return { text, values };
}

type GroupRow = ActivityEntry & { readonly head_id: string; readonly entries: number };

/** @returns newest first, at most `limit` groups */
export async function readActivityGroups(tx: Transaction, page: ActivityPage): Promise<ActivityGroup[]> {
  const { text, values } = selectGroups(page);
  const rows = await tx.query<GroupRow>({
    text: withNames({
      page: text,
      columns: ', l.head_id::text, l.entries',
      live: true,
      order: 'l.number, l.id <> l.head_id, l.id',
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
  const end = before === undefined ? 'g.last_id + 1' : `least(g.last_id + 1, ${bind(before, 'bigint')})`;
  const page = selectInGroup({
    conditions: createScan(filter, bind).conditions,
    ascending: false,
    before: end,
    limit: '$1',
  });
  const text = `with groups as materialized (
      select b.at, p.first_id, p.last_id
        from private.audit_log b cross join lateral (${selectBounds('b')}) p where b.id = ${bind(group, 'bigint')}
    )
    select l.* from groups g cross join lateral (${page}) l`;
  return tx.query<ActivityEntry>({
    text: withNames({ page: text, columns: '', live: true, order: 'l.at desc, l.id desc' }),
    values,
  });
}
