/**
 * Reads the audit log for administrators: filtered, newest first, in pages. Each filter has an index in the order of the
 * list (`db/schema.sql`), so the cost of a page does not depend on the number of entries.
 */
import { activityTables, type ActivityEntry, type ActivityFilter } from '@lanternrock/contract/activity';
import type { Statement, Transaction } from '@lanternrock/postgres';
import { auditEntrySql } from './entry.ts';

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

/**
 * Returns the statement that selects the rows of a page. One scan per table of the kind: no index keeps the order over
 * several tables.
 */
function selectPage({ kind, limit, ...filter }: ActivityPage): Statement {
  const values: unknown[] = [limit];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const conditions: string[] = [];
  if (filter.person !== undefined) conditions.push(`${person} = ${bind(filter.person)}`);
  if (filter.record !== undefined) conditions.push(`${record} = ${bind(filter.record)}`);
  if (filter.from !== undefined) conditions.push(`l.at >= ${bind(new Date(filter.from))}`);
  if (filter.to !== undefined) conditions.push(`l.at < ${bind(new Date(filter.to))}`);
  if (filter.before !== undefined) {
    const id = bind(filter.before);
    conditions.push(
      `(l.at, l.id) < ((select b.at from private.audit_log b where b.id = ${id}::bigint), ${id}::bigint)`,
    );
  }
  const scan = (more: readonly string[]): string => {
    const all = [...more, ...conditions];
    const where = all.length === 0 ? '' : `where ${all.join(' and ')}`;
    return `select l.* from private.audit_log l ${where} ${newestFirst} limit $1`;
  };
  if (kind === undefined) return { text: scan([]), values };
  const tables = bind(activityTables[kind]);
  return {
    text: `select l.* from unnest(${tables}::text[]) t (name)
      cross join lateral (${scan(['l.table_name = t.name'])}) l ${newestFirst} limit $1`,
    values,
  };
}

/** Fields that are not shown: IDs, times of the row itself, counters. */
const hiddenFields = `'^(id|.*_id|.*_by|created_at|updated_at|active_members|send_count)$'`;
const isId = `~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'`;

/** Adds the names of the actor and of the record, and the changed fields. */
const withNames = (page: string, column: string): string => `
  with page as materialized (${page})
  select l.id::text, to_char(l.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at,
    l.actor as actor_id,
    coalesce(
      nullif(btrim(actor_profile.full_name), ''), actor.email,
      case when l.origin = 'command line' then l.request_id end) as actor_name,
    actor.email as actor_email,
    l.origin, l.action, l.table_name, k.record as record_id,
    coalesce(
      account.name, image ->> 'name', image ->> 'full_name', image ->> 'sender_name',
      case when l.table_name <> 'public.account_members' then subject.name end,
      image ->> 'email') as record_name,
    case when l.table_name = 'public.account_members' then subject.name end as member_name,
    c.changes${column}
  from page l
    cross join lateral (select coalesce(l.after, l.before) as image, ${record} as record) k
    left join auth.users actor on actor.id = l.actor and actor.deleted_at is null
    left join public.profiles actor_profile on actor_profile.id = actor.id
    left join public.accounts account on account.id = case
      when l.table_name in ('public.account_members', 'private.account_suspensions') and k.record ${isId}
      then k.record::uuid end
    left join lateral (
      select coalesce(nullif(btrim(p.full_name), ''), u.email) as name
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
