/** The state of the scheduled backups: when the next one is due, which replica writes it, and how the last one ended. */
import { randomUUID } from 'node:crypto';
import { type Database, type Transaction, sql } from '@lanternrock/postgres';
import { findNextTime } from './backup-schedule.ts';

export interface BackupState {
  readonly schedule: string;
  readonly next_at: Date;
  readonly lease_until: Date | null;
  readonly tries: number;
  readonly finished_at: Date | null;
  readonly problem: string | null;
  /** Time of the data of the last complete backup. */
  readonly completed_at: Date | null;
  readonly file: string | null;
  /** A bigint as text. */
  readonly bytes: string | null;
  readonly reported_at: Date | null;
}

/** Returns null if the service has not run with a schedule. */
export async function readBackupState(tx: Transaction): Promise<BackupState | null> {
  const [state] = await tx.query<BackupState>(
    sql`select schedule, next_at, lease_until, tries, finished_at, problem, completed_at, file, bytes, reported_at
          from private.backup_state`,
  );
  return state ?? null;
}

/** A replica that stops extending its lease has been killed. */
const leaseMs = 120_000;
export const leaseRenewalMs = 30_000;

export interface BackupClaim {
  readonly leaseId: string;
  /** Number of this attempt, from 1. */
  readonly tries: number;
}

/**
 * Claims the backup that is due.
 *
 * @returns null if none is due, or another replica writes it
 */
export async function claimBackup(
  database: Database,
  schedule: string,
  now: Date,
): Promise<BackupClaim | null> {
  // Every replica calls this often, so it writes only if there is something to do.
  const state = await readBackupState(database);
  if (state?.schedule === schedule && state.next_at > now) return null;
  const leaseId = randomUUID();
  return database.transaction(async (tx) => {
    const nextAt = findNextTime(schedule, now);
    // A new schedule starts from now, unless a replica is writing a backup.
    await tx.query(
      sql`insert into private.backup_state as s (schedule, next_at) values (${schedule}, ${nextAt})
          on conflict (id) do update set schedule = excluded.schedule, next_at = excluded.next_at, tries = 0
            where s.schedule <> excluded.schedule and (s.lease_until is null or s.lease_until <= ${now})`,
    );
    const [claimed] = await tx.query<{ tries: number }>(
      sql`update private.backup_state
             set lease_id = ${leaseId}, lease_until = ${new Date(now.getTime() + leaseMs)}, tries = tries + 1
           where next_at <= ${now} and (lease_until is null or lease_until <= ${now})
          returning tries`,
    );
    return claimed ? { leaseId, tries: claimed.tries } : null;
  });
}

/** @returns false if another replica has the lease now */
export async function extendLease(database: Database, leaseId: string, now: Date): Promise<boolean> {
  const extended = await database.query(
    sql`update private.backup_state set lease_until = ${new Date(now.getTime() + leaseMs)}
         where lease_id = ${leaseId} returning id`,
  );
  return extended.length > 0;
}

/** Ends the lease without a result, so that the next start of a service writes the backup. */
export async function releaseBackup(database: Database, { leaseId }: BackupClaim): Promise<void> {
  await database.query(
    sql`update private.backup_state set lease_id = null, lease_until = null, tries = tries - 1
         where lease_id = ${leaseId}`,
  );
}

export type BackupResult =
  | { readonly problem: null; readonly at: Date; readonly file: string; readonly bytes: number }
  | { readonly problem: string };

/** A time of the schedule without a backup, because the previous one was still being written. */
interface FinishedBackup {
  readonly skippedAt: Date | null;
}

/**
 * Stores the result, ends the lease and computes the next time.
 *
 * @returns null if another replica has the lease, whose result counts
 */
export async function finishBackup(
  tx: Transaction,
  { leaseId }: BackupClaim,
  result: BackupResult,
  now: Date,
): Promise<FinishedBackup | null> {
  const [claimed] = await tx.query<{ schedule: string; next_at: Date }>(
    sql`select schedule, next_at from private.backup_state where lease_id = ${leaseId} for update`,
  );
  if (!claimed) return null;
  const following = findNextTime(claimed.schedule, claimed.next_at);
  const nextAt = findNextTime(claimed.schedule, now);
  await tx.query(
    sql`update private.backup_state
           set lease_id = null, lease_until = null, tries = 0, next_at = ${nextAt}, finished_at = ${now},
               problem = ${result.problem}`,
  );
  if (result.problem === null)
    await tx.query(
      sql`update private.backup_state set completed_at = ${result.at}, file = ${result.file}, bytes = ${result.bytes}`,
    );
  return { skippedAt: following <= now ? following : null };
}
