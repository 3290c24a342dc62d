/**
 * Reads the audit log for administrators: filtered, newest first, in pages. Each filter has an index in the order of the
 * list (`db/schema.sql`), so the cost of a page does not depend on the number of entries.
 */
import { activityTables, type ActivityEntry, type ActivityFilter } from '@lanternrock/contract/activity';
import type { Statement, Transaction } from '@lanternrock/postgres';
import { auditEntrySql } from '../audit/entry.ts';

interface ActivityPage extends ActivityFilter {
  /** ID of an entry: returns the entries before it. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** An entry with its text form for exports. */
export type ActivityRow = ActivityEntry & { readonly entry: string };

/** The expressions of the indexes. */
const person = 'coalesce(l.actor::text, l.origin)';
const record = `coalesce(
  coalesce(l.after, l.before) ->> 'account_id',
  case when l.table_name in ('public.user_roles', 'auth.mfa_factors', 'auth.sessions')
    then coalesce(l.after, l.before) ->> 'user_id' end,
  l.row_id)`;

const newestFirst = 'order by l.at desc, l.id desc';

/** A scan of one index whose first columns have a fixed value. */
interface IndexScan {
  /** SQL of each of these columns, and of its value. */
  readonly prefix: readonly (readonly [column: string, value: string])[];
  /** SQL of the position before which and from which the entries are read. */
  readonly before: readonly [at: string, id: string];
  readonly from: string;
  readonly conditions: readonly string[];
}

/**
 * Compiles a scan. Conditions on rows instead of columns, and an order that begins with the fixed columns, leave the planner
 * one index. With `=`, it walks all entries from the newest if it expects many matches, and reads the whole log if they are
 * older than an import.
 */
function compileScan({ prefix, before, from, conditions }: IndexScan): string {
  const position = [...prefix.map(([column]) => column), 'l.at', 'l.id'];
  const compare = (operator: string, at: readonly string[]): string =>
    `(${position.join(', ')}) ${operator} (${[...prefix.map(([, value]) => value), ...at].join(', ')})`;
  const all = [compare('<', before), compare('>=', [from, '0::bigint']), ...conditions];
  const order = position.map((column) => `${column} desc`);
  return `select l.* from private.audit_log l where ${all.join(' and ')} order by ${order.join(', ')} limit $1`;
}

/** Returns the statement that selects the rows of a page, by one index scan, or by one for each table of the kind. */
function selectPage({ kind, limit, ...filter }: ActivityPage): Statement {
  const values: unknown[] = [limit];
  const bind = (value: unknown, type: string): string => `$${values.push(value)}::${type}`;
  const to = filter.to === undefined ? null : bind(new Date(filter.to), 'timestamptz');
  const before = filter.before === undefined ? null : bind(filter.before, 'bigint');
  const range = {
    before:
      before === null
        ? ([to ?? `'infinity'::timestamptz`, '0::bigint'] as const)
        : ([`(select b.at from private.audit_log b where b.id = ${before})`, before] as const),
    from: filter.from === undefined ? `'-infinity'::timestamptz` : bind(new Date(filter.from), 'timestamptz'),
    conditions: before !== null && to !== null ? [`l.at < ${to}`] : [],
  };
  const tables = kind === undefined ? null : bind(activityTables[kind], 'text[]');
  const userId = filter.person === undefined ? null : bind(filter.person, 'text');
  if (filter.record !== undefined) {
    const conditions = [
      ...range.conditions,
      ...(tables === null ? [] : [`l.table_name = any (${tables})`]),
      ...(userId === null ? [] : [`${person} = ${userId}`]),
    ];
    return {
      text: compileScan({ ...range, conditions, prefix: [[record, bind(filter.record, 'text')]] }),
      values,
    };
  }
  if (userId === null && tables === null) return { text: compileScan({ ...range, prefix: [] }), values };
  const prefix = [
    ...(userId === null ? [] : [[person, userId] as const]),
    ['l.table_name', 't.name'] as const,
  ];
  const names = tables === null ? compileTables(userId ?? '') : `unnest(${tables}) t (name)`;
  return {
    text: `select l.* from ${names} cross join lateral (${compileScan({ ...range, prefix })}) l ${newestFirst} limit $1`,
    values,
  };
}

/** SQL of the tables of a person's entries. Each step of the recursion finds the next one by the index. */
const compileTables = (userId: string): string => {
  const next = (after: string): string =>
    `(select l.table_name from private.audit_log l
       where ${person} = ${userId} and l.table_name > ${after} order by l.table_name limit 1)`;
  return `(with recursive tables (name) as (
      select ${next(`''`)}
      union all
      select ${next('tables.name')} from tables where tables.name is not null
    ) select name from tables where name is not null) t`;
};

/** Fields that are not shown: IDs, times of the row itself, counters. */
const hiddenFields = `'^(id|.*_id|.*_by|created_at|updated_at|active_members|send_count)$'`;
const isId = `~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'`;

/** Adds the names of the actor and of the record, and the changed fields. */
const withNames = (page: string, column: string): string => `
  with page as materialized (${page})
  select l.id::text, to_char(l.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at,
    l.actor as actor_id,
    coalesce(
      private.display_name(actor_profile.full_name, actor.email),
      case when l.origin = 'command line' then l.request_id end) as actor_name,
    actor.email as actor_email,
    l.origin, l.action, l.table_name, k.record as record_id,
    coalesce(
      account.name, image ->> 'name', image ->> 'full_name', image ->> 'sender_name',
      case when l.table_name <> 'public.account_members' then subject.name end,
      image ->> 'email') as record_name,
    case l.table_name when 'public.account_members' then subject.name
      when 'private.member_invitations' then image ->> 'full_name' end as member_name,
    c.changes${column}
  from page l
    cross join lateral (select coalesce(l.after, l.before) as image, ${record} as record) k
    left join auth.users actor on actor.id = l.actor and actor.deleted_at is null
    left join public.profiles actor_profile on actor_profile.id = actor.id
    left join public.accounts account on account.id = case
      when l.table_name in ('public.account_members', 'private.account_suspensions', 'private.member_invitations')
        and k.record ${isId}
      then k.record::uuid end
    left join lateral (
      select private.display_name(p.full_name, u.email) as name
        from auth.users u left join public.profiles p on p.id = u.id
        where u.deleted_at is null and u.id = case
          when l.table_name = 'public.account_members' then (image ->> 'user_id')::uuid
          when l.table_name in ('public.user_roles', 'public.profiles', 'auth.users', 'auth.sessions', 'auth.mfa_factors')
            and k.record ${isId} then k.record::uuid end
    ) subject on true
    cross join lateral (
      select coalesce(jsonb_agg(jsonb_build_object(
          'field', f.name, 'before', l.before ->> f.name, 'after', l.after ->> f.name) order by f.name), '[]') as changes
        from jsonb_object_keys(coalesce(l.before, '{}') || coalesce(l.after, '{}')) f (name)
        where f.name !~ ${hiddenFields}
          -- Of an updated row, \`after\` also contains columns that name the record.
          and (l.action <> 'UPDATE' or l.before ? f.name)
          and (l.before ->> f.name) is distinct from (l.after ->> f.name)
    ) c
  ${newestFirst}`;

/** @returns newest first, at most `limit` rows */
export async function readActivity(tx: Transaction, page: ActivityPage): Promise<ActivityEntry[]> {
  const { text, values } = selectPage(page);
  return tx.query<ActivityEntry>({ text: withNames(text, ''), values });
}

/** Like `readActivity`, with the text form of each entry. */
export async function readActivityLines(tx: Transaction, page: ActivityPage): Promise<ActivityRow[]> {
  const { text, values } = selectPage(page);
  return tx.query<ActivityRow>({ text: withNames(text, `, ${auditEntrySql} as entry`), values });
}
