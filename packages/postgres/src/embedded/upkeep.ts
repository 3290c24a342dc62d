/**
 * Runs checkpoints and vacuum for the embedded engine, which has no background processes. Other statements wait while
 * one of them runs.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseUnavailableError } from '../errors.ts';
import { sql, type Transaction } from '../database.ts';
import { canCheckpoint, hasSpace } from './free-space.ts';

/** Runs work on the only connection, outside a transaction, with a result timeout in milliseconds. */
export type Exclusive = <T>(timeoutMs: number, work: (session: Transaction) => Promise<T>) => Promise<T>;

export type PauseReason = 'backup' | 'checkpoint' | 'vacuum';

export interface UpkeepOptions {
  readonly directory: string;
  readonly exclusive: Exclusive;
  /** Returns the numbers of fsync calls and requests since the engine started. */
  readonly activity: () => { readonly syncs: number; readonly requests: number };
  readonly onPause: (reason: PauseReason, pauseMs: number, table: string | null) => void;
  readonly onError: (error: Error) => void;
  /** Terminates the engine immediately. Committed rows are durable. */
  readonly terminate: () => Promise<void>;
}

export interface Upkeep {
  /** Runs the checkpoint and the vacuum that are due. Called once per second. */
  run(): Promise<void>;
  close(): Promise<void>;
}

const intervalMs = 1000;
/** Delay after a failure, for example on a full disk. */
const retryMs = 60_000;
/** Result timeout of maintenance statements. A vacuum of a very large table takes minutes. */
export const maintenanceTimeoutMs = 600_000;

/** Maximum wait of a shutdown for a running vacuum, in milliseconds. */
const closeTimeoutMs = 2000;

/** Bytes of write-ahead log that trigger a checkpoint. Including files for reuse, the log stays below 128 MiB. */
const maxWalBytes = 48 * 1_048_576;
/** Dead rows that trigger a vacuum while the database is idle. */
const idleDeadRows = 1000;
/** Dead rows that trigger a vacuum of a busy database, or a fifth of the table if that is more. */
const busyDeadRows = 10_000;
/** Age in transactions at which a table must be frozen, well before the wraparound at 2^31. */
const maxAge = 200_000_000;

export function createUpkeep(options: UpkeepOptions): Upkeep {
  const { activity, onError } = options;
  let lastActivity = { syncs: -1, requests: -1 };
  let isClean = false;
  let nextRunAt = 0;
  let running: Promise<void> | null = null;

  const work = async (): Promise<void> => {
    const now = activity();
    const isIdle = now.requests === lastActivity.requests;
    // Without writes since the last run, no statement is needed.
    if (isClean && now.syncs === lastActivity.syncs) return;
    await options.exclusive(maintenanceTimeoutMs, async (session) => {
      await checkpointIfDue(session, options);
      isClean = !(await vacuumIfDue(session, options, isIdle)) && isIdle;
    });
    lastActivity = activity();
  };
  const run = async (): Promise<void> => {
    running ??= work()
      .catch((error: unknown) => {
        // A migration or a restore is using the connection.
        if (error instanceof DatabaseUnavailableError && error.reason === 'pool') return;
        nextRunAt = performance.now() + retryMs;
        onError(error instanceof Error ? error : new Error(String(error)));
      })
      .finally(() => {
        running = null;
      });
    return running;
  };
  const timer = setInterval(() => {
    if (performance.now() >= nextRunAt) void run();
  }, intervalMs);
  timer.unref();
  return {
    run,
    close: async () => {
      clearInterval(timer);
      if (!running) return;
      const isDone = await Promise.race([
        running.then(() => true),
        pause(closeTimeoutMs, false, { ref: false }),
      ]);
      // The engine cannot cancel a vacuum.
      if (!isDone) await options.terminate();
      await running;
    },
  };
}

async function checkpointIfDue(session: Transaction, { directory, onPause }: UpkeepOptions): Promise<void> {
  // Postgres reports dead rows at most once per second, unless the session forces a flush.
  const [row] = await session.query<{ bytes: number }>(
    sql`select (pg_current_wal_insert_lsn() - redo_lsn)::float8 as bytes, pg_stat_force_next_flush()
          from pg_control_checkpoint()`,
  );
  if (!row || row.bytes < maxWalBytes) return;
  // The engine cannot continue if it fails to write the checkpoint. Without it, no log is lost.
  if (!canCheckpoint(directory)) throw new Error('Checkpoint postponed: the disk of the database is full');
  const startedAt = performance.now();
  await session.query(sql`checkpoint`);
  onPause('checkpoint', performance.now() - startedAt, null);
}

interface Candidate {
  readonly name: string;
  readonly bytes: number;
}

/** Vacuums the table with the most dead rows. Returns true if a vacuum was due. */
async function vacuumIfDue(
  session: Transaction,
  { directory, onPause }: UpkeepOptions,
  isIdle: boolean,
): Promise<boolean> {
  const [table] = await session.query<Candidate>(
    sql`select format('%I.%I', s.schemaname, s.relname) as name, pg_table_size(s.relid)::float8 as bytes
          from pg_stat_all_tables s join pg_class c on c.oid = s.relid
         where c.relkind = 'r'
           and (s.n_dead_tup > case when ${isIdle} then ${idleDeadRows}::float8
                                    else greatest(${busyDeadRows}::float8, s.n_live_tup * 0.2) end
                or age(c.relfrozenxid) > ${maxAge}::int)
         order by age(c.relfrozenxid) > ${maxAge}::int desc, s.n_dead_tup desc limit 1`,
  );
  // A vacuum can write every page of the table to the log, and the engine cannot continue after a failed write to it.
  if (!table || !hasSpace(directory, table.bytes + 2 * maxWalBytes)) return false;
  const startedAt = performance.now();
  await session.query({ text: `vacuum ${table.name}`, values: [] });
  onPause('vacuum', performance.now() - startedAt, table.name);
  return true;
}
