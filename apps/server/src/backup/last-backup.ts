/** The last scheduled backup, for metrics, `status`, `doctor` and the emails about problems. */
import type { Database } from '@lanternrock/postgres';
import { sql } from '@lanternrock/postgres';
import { readBackupState, type BackupState } from './backup-state.ts';

/** Time for the start of the service and for the backup itself, in milliseconds. */
const maxDelayMs = 3_600_000;

/** Returns true if the backup that is due has not ended for an hour. */
export const isOverdue = ({ next_at: nextAt }: Pick<BackupState, 'next_at'>, now: Date): boolean =>
  now.getTime() - nextAt.getTime() > maxDelayMs;

export interface LastBackup {
  readonly result: 'complete' | 'failed' | 'none' | 'overdue';
  /** One line for the operator. */
  readonly text: string;
}

const mebibyte = 1_048_576;

/** Describes the state. Null: the service has not run with a schedule. */
function describeLastBackup(state: BackupState | null, now: Date): LastBackup {
  if (!state) return { result: 'none', text: 'none yet; the service computes the first time at its start' };
  const next = `next ${state.next_at.toISOString()}`;
  const complete = state.completed_at
    ? `last complete ${state.completed_at.toISOString()}, ${Math.ceil(Number(state.bytes) / mebibyte)} MiB, ${state.file}`
    : 'no complete backup yet';
  if (isOverdue(state, now))
    return { result: 'overdue', text: `overdue since ${state.next_at.toISOString()}; ${complete}` };
  if (state.problem !== null && state.finished_at)
    return {
      result: 'failed',
      text: `failed ${state.finished_at.toISOString()}: ${state.problem}; ${complete}; ${next}`,
    };
  return { result: state.completed_at ? 'complete' : 'none', text: `${complete}; ${next}` };
}

/** Reads the state and describes it. A database of an earlier version has none. */
export async function readLastBackup(database: Database): Promise<LastBackup> {
  const [row] = await database.query<{ now: Date; exists: boolean }>(
    sql`select now() as now, to_regclass('private.backup_state') is not null as exists`,
  );
  const state = row?.exists ? await readBackupState(database) : null;
  return describeLastBackup(state, row?.now ?? new Date(0));
}

/** Values of the metrics. NaN: there is no such value. */
export interface BackupMetrics {
  /** Age of the data of the last complete backup. */
  readonly ageSeconds: number;
  readonly bytes: number;
  /** 1 if the last backup failed or the next one is overdue, otherwise 0. */
  readonly failed: number;
}

export const noBackupMetrics: BackupMetrics = {
  ageSeconds: Number.NaN,
  bytes: Number.NaN,
  failed: Number.NaN,
};

export async function readBackupMetrics(database: Database, now: Date): Promise<BackupMetrics> {
  const state = await readBackupState(database);
  if (!state) return noBackupMetrics;
  return {
    ageSeconds: state.completed_at ? (now.getTime() - state.completed_at.getTime()) / 1000 : Number.NaN,
    bytes: state.bytes === null ? Number.NaN : Number(state.bytes),
    failed: state.problem !== null || isOverdue(state, now) ? 1 : 0,
  };
}
