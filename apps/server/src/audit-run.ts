/**
 * Marks the audit log entries of an action of several requests, such as an import, so that the activity shows one entry. The client
 * sends the same ID with all of them.
 */
import { createHash } from 'node:crypto';
import { type Transaction, sql } from '@lanternrock/postgres';

interface AuditRun {
  /** What the requests do. Two kinds with the same ID are two actions, such as an import and its undo. */
  readonly kind: 'import-accounts' | 'undo-import' | 'import-contacts';
  /** Chosen by the client. */
  readonly id: string;
}

/** What continues later is another action. It also limits the entries among which the activity looks for those of an action. */
export const maxRunHours = 12;

/**
 * An action on a list that had no request for so long has ended. Its entry has the time of the first request, so that what happens
 * later would be far from the newest entries.
 */
const maxListPauseHours = 1;

/**
 * Marks all entries of the transaction. Call it before the first write, after the settings of the transaction name the actor. An ID
 * of another user or kind leads to another run, so no person can add entries to the action of another one.
 */
export async function startRun(tx: Transaction, { kind, id }: AuditRun): Promise<void> {
  const name = await readActor(tx);
  const derive = (part: number): string => toUuid(JSON.stringify([kind, name, id, part]));
  const [first] = await tx.query<{ part: number }>(
    sql`select greatest(0, floor(extract(epoch from now() - at) / 3600 / ${maxRunHours}))::int as part
          from private.audit_log where run_id = ${derive(0)} order by at, id limit 1`,
  );
  await tx.query(sql`select set_config('request.run_id', ${derive(first?.part ?? 0)}, true)`);
}

/** Returns the user ID, or the name of the operator. */
async function readActor(tx: Transaction): Promise<string | null> {
  const [actor] = await tx.query<{ name: string | null }>(
    sql`select coalesce(auth.uid()::text, current_setting('request.id', true)) as name`,
  );
  return actor?.name ?? null;
}

/** An action on a list of invitations, whose requests send the same ID. */
export interface ListAction {
  readonly kind: 'list_invited' | 'list_resent' | 'list_revoked';
  /** Chosen by the client. */
  readonly id: string;
}

/**
 * Marks all further entries of the transaction as parts of the action, which has one entry. Call it before the first write, and only if
 * there is one. As for a run, no person can add entries to the action of another one, nor after 12 hours, nor an hour after its last
 * request. Requests of one action run one after another.
 */
export async function startListAction(tx: Transaction, { kind, id }: ListAction): Promise<void> {
  const rowId = toUuid(JSON.stringify([kind, await readActor(tx), id]));
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('list:' || ${rowId}::text, 0))`);
  const [found] = await tx.query<{ id: string }>({
    text: `select l.id::text from (
        select l.id, l.at from private.audit_log l
          where (${recordSql}, l.at) > ($1, now() - interval '${maxRunHours} hours') and ${recordSql} = $1 and l.action = $2
          order by ${recordSql} desc, l.at desc limit 1
      ) l where greatest(l.at, ${newestPartSql}) > now() - interval '${maxListPauseHours} hours'`,
    values: [rowId, kind],
  });
  const [entry] = found
    ? [found]
    : await tx.query<{ id: string }>(
        sql`insert into private.audit_log (actor, request_id, table_name, row_id, action, after)
            values (auth.uid(), nullif(current_setting('request.id', true), ''), 'private.invitations', ${rowId}, ${kind},
              '{"list": "administrators"}') returning id::text`,
      );
  await tx.query(sql`select set_config('request.part_of', ${entry?.id ?? ''}, true)`);
}

/** The record of the entry `l` that sums up a list, in the expression of the index `audit_log_record_idx`. */
const recordSql = `coalesce(coalesce(l.after, l.before) ->> 'account_id',
  case when l.table_name in ('public.user_roles', 'auth.mfa_factors', 'auth.sessions')
    then coalesce(l.after, l.before) ->> 'user_id' end, l.row_id)`;

/**
 * The time of the newest part of the entry `l`; null without one. A comparison of rows leaves the planner one index; with `=`, it can
 * walk the parts of all entries.
 */
const newestPartSql = `(select case when p.part_of = l.id then p.at end from (
  select p.part_of, p.at from private.audit_log p
    where p.part_of is not null and (p.part_of, p.at) <= (l.id, 'infinity'::timestamptz)
    order by p.part_of desc, p.at desc limit 1) p)`;

/** Returns a hash with the length of a UUID. */
const toUuid = (text: string): string =>
  createHash('sha256')
    .update(text)
    .digest('hex')
    .slice(0, 32)
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

/** Adds the numbers of the earlier requests of the run. `total_NAME` is absent without a run. */
export async function addTotals(
  tx: Transaction,
  counts: Readonly<Record<string, number>>,
): Promise<Readonly<Record<string, number>>> {
  const [run] = await tx.query<{ earlier: Readonly<Record<string, unknown>> | null }>(
    sql`select (
            select l.after from private.audit_log l
              where l.run_id = r.id and l.action = any (${summaryActions}::text[])
              order by l.run_id desc, l.at desc, l.id desc limit 1
          ) as earlier
          from (select nullif(current_setting('request.run_id', true), '')::uuid as id) r where r.id is not null`,
  );
  if (!run) return counts;
  const totals = Object.entries(counts).map(([name, count]) => {
    const key = `total_${name}`;
    return [key, count + Number(run.earlier?.[key] ?? 0)] as const;
  });
  return { ...counts, ...Object.fromEntries(totals) };
}

/** Actions of the entries that sum up a run. */
const summaryActions = ['imported', 'import_undone'];
