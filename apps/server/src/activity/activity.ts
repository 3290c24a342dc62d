/** Reads the audit log for administrators: filtered, newest first, in pages. */
import type { ActivityEntry, ActivityFilter } from '@lanternrock/contract/activity';
import { maxGroupCount } from '@lanternrock/contract/activity-limits';
import type { Statement, Transaction } from '@lanternrock/postgres';
import { auditEntrySql } from '../audit/entry.ts';
import { createScan, listActionsSql, record, type ScanPosition, type Bind } from './activity-scan.ts';
import { joinUndo, undoableImportSql, undoableSql, undoesSql, undoneBySql, undosSql } from './undoable.ts';

export interface ActivityPage extends ActivityFilter {
  /** ID of an entry: returns the entries before it. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** A page of groups. */
export interface ActivityGroupPage extends ActivityPage {
  /** ID of an entry: leaves out the entries after its transaction. */
  readonly newest?: string | undefined;
}

/** An entry with its text form for exports. */
export type ActivityRow = Omit<
  ActivityEntry,
  'former_names' | 'undoable' | 'undoable_import' | 'undone_by' | 'undoes' | 'listed'
> & {
  readonly entry: string;
  /** ID of the entry that undid it. */
  readonly undone_by: string | null;
  /** ID of the entry that it undid. */
  readonly undoes: string | null;
};

/** Returns a function that adds a value to `values` and returns its placeholder. */
export const createBind =
  (values: unknown[]): Bind =>
  (value, type) =>
    `$${values.push(value)}::${type}`;

/** Returns the SQL of the range of a filter: the first time, and the position of the end without `before`. */
export const compileTimes = (
  { from, to }: Pick<ActivityFilter, 'from' | 'to'>,
  bind: Bind,
): { readonly from: ScanPosition; readonly end: ScanPosition } => ({
  from: [from === undefined ? `'-infinity'::timestamptz` : bind(new Date(from), 'timestamptz'), '0::bigint'],
  end: [to === undefined ? `'infinity'::timestamptz` : bind(new Date(to), 'timestamptz'), '0::bigint'],
});

/** Returns the statement that selects the rows of a page. */
function selectPage({ before, limit, ...filter }: ActivityPage): Statement {
  const values: unknown[] = [limit];
  const bind = createBind(values);
  const { from, end } = compileTimes(filter, bind);
  const scan = createScan(filter, bind);
  const start =
    before === undefined
      ? `select ${end.join(', ')}`
      : `select case when b.at < ${end[0]} then b.at else ${end[0]} end, case when b.at < ${end[0]} then b.id else 0 end
           from private.audit_log b where b.id = ${bind(before, 'bigint')}`;
  const page = scan.selectAll({ before: ['s.at', 's.id'], from, limit: '$1' });
  return {
    text: `with ${scan.withTables} start (at, id) as materialized (${start})
      select l.* from start s cross join lateral (${page}) l`,
    values,
  };
}

/** Fields that are not shown: IDs, times of the row itself, counters. */
const hiddenFields = `'^(id|.*_id|.*_by|created_at|updated_at|active_members|contact_text|send_count)$'`;
const isId = `~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'`;
const accountTables = `('public.accounts', 'public.account_members', 'private.account_suspensions', 'private.member_invitations', 'public.account_contacts')`;

/**
 * Joins the name that a record had at the time of the entry: that before the first later change of the name. The conditions are those
 * of `audit_log_renames_idx`, and the row comparison leaves the planner this index.
 */
const joinFormerName = (alias: string, rowId: string): string => `
    left join lateral (
      select r.row_id, coalesce(r.before ->> 'name', r.before ->> 'full_name') as name from private.audit_log r
        where r.action = 'UPDATE'
          and (r.table_name = 'public.accounts' and r.before ? 'name'
            or r.table_name = 'public.profiles' and r.before ? 'full_name')
          and (r.row_id, r.at, r.id) > (${rowId}, l.at, l.id)
        order by r.row_id, r.at, r.id limit 1
    ) ${alias} on ${alias}.row_id = ${rowId}`;

const actorName = 'private.display_name(actor_profile.full_name, actor.email)';
const recordName = `coalesce(
      account.name, case when l.table_name <> 'public.account_members' then subject.name end, invitation.full_name,
      case when l.table_name <> 'public.account_contacts' then
        coalesce(image ->> 'name', image ->> 'full_name', image ->> 'sender_name', image ->> 'email') end)`;

/** Of names at the time of an entry, those that have changed since. An invitation stores the name of the invited user itself. */
const formerNames = `jsonb_build_object(
      'actor', case when actor_former.name <> ${actorName} then actor_former.name end,
      'record', case
        when l.table_name = 'private.invitations' and image ->> 'full_name' <> invitation.full_name then image ->> 'full_name'
        when record_former.name <> ${recordName} then record_former.name end,
      'member', case when member_former.name <> subject.name then member_former.name end)`;

interface NamedPage {
  /** Select of the rows of a page. */
  readonly page: string;
  /** SQL of further columns, each with a comma before it. */
  readonly columns: string;
  /** Adds the former names, what can be undone, and what is undone already. */
  readonly live: boolean;
  readonly order: string;
}

/** Adds the present names of the actor and of the record, and the changed fields. */
export const withNames = ({ page, columns, live, order }: NamedPage): string => `
  with page as materialized (${page}), undos as materialized (${undosSql})
  select l.id::text, to_char(l.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at,
    l.actor as actor_id,
    coalesce(${actorName}, case when l.origin = 'command line' then l.request_id end) as actor_name,
    actor.email as actor_email,
    l.origin, l.action, l.table_name, k.record as record_id,
    ${recordName} as record_name,
    case l.table_name when 'public.account_members' then subject.name
      when 'private.member_invitations' then image ->> 'full_name'
      when 'public.account_contacts' then image ->> 'name' end as member_name,
    c.changes${live ? liveColumns : ''}${columns}
  from page l left join undos on undos.undoes = l.id
    cross join lateral (
      select i.image, i.record,
          case when l.table_name = 'public.account_members' then i.image ->> 'user_id'
            when l.table_name in ('public.user_roles', 'public.profiles', 'auth.users', 'auth.sessions', 'auth.mfa_factors')
              then i.record end as subject_id
        from (select coalesce(l.after, l.before) as image, ${record} as record) i
    ) k
    left join auth.users actor on actor.id = l.actor and actor.deleted_at is null
    left join public.profiles actor_profile on actor_profile.id = actor.id
    left join public.accounts account on account.id = case
      when l.table_name in ${accountTables} and k.record ${isId} then k.record::uuid end
    left join private.invitations invitation on invitation.id = case
      when l.table_name = 'private.invitations' and k.record ${isId} then k.record::uuid end
    left join lateral (
      select u.id, private.display_name(p.full_name, u.email) as name
        from auth.users u left join public.profiles p on p.id = u.id
        where u.deleted_at is null and u.id = case when k.subject_id ${isId} then k.subject_id::uuid end
    ) subject on true${live ? joinLive : ''}
    cross join lateral (
      select coalesce(jsonb_agg(jsonb_build_object(
          'field', f.name, 'before', l.before ->> f.name, 'after', l.after ->> f.name) order by f.name), '[]') as changes
        from jsonb_object_keys(coalesce(l.before, '{}') || coalesce(l.after, '{}')) f (name)
        where f.name !~ ${hiddenFields}
          -- Of an updated row, \`after\` also contains columns that name the record.
          and (l.action <> 'UPDATE' or l.before ? f.name)
          and (l.before ->> f.name) is distinct from (l.after ->> f.name)
    ) c
  order by ${order}`;

/** Of an entry that sums up an action on a list: the number of invitations. */
const listedSql = `case when l.action in ${listActionsSql} then (
    select least(count(distinct p.row_id), ${maxGroupCount})::int
      from (
        select p.row_id from private.audit_log p
          where p.part_of = l.id and p.table_name = l.table_name order by p.part_of, p.at, p.id limit 3 * ${maxGroupCount}
      ) p) end`;

const liveColumns = `, ${listedSql} as listed, ${formerNames} as former_names, ${undoableSql} as undoable, ${undoableImportSql} as undoable_import,
    ${undoneBySql} as undone_by, ${undoesSql} as undoes`;

const joinLive = [
  joinFormerName('actor_former', 'l.actor::text'),
  joinFormerName(
    'record_former',
    `case when l.table_name in ${accountTables} then k.record when l.table_name <> 'public.account_members' then k.subject_id end`,
  ),
  joinFormerName('member_former', `case when l.table_name = 'public.account_members' then k.subject_id end`),
  joinUndo,
].join('');

/** Reads entries one by one, with the text form of each. @returns newest first, at most `limit` rows */
export async function readActivityLines(tx: Transaction, page: ActivityPage): Promise<ActivityRow[]> {
  const { text, values } = selectPage(page);
  const columns = `, ${auditEntrySql} as entry, undos.id::text as undone_by, l.undoes::text`;
  return tx.query<ActivityRow>({
    text: withNames({ page: text, columns, live: false, order: 'l.at desc, l.id desc' }),
    values,
  });
}
