/**
 * What a Postgres server does in its background processes and the embedded engine, one session, does not:
 * checkpoints, which keep the write-ahead log short, and vacuum. Each is one statement, for which callers wait.
 */
import fs from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseUnavailableError } from '../errors.ts';
import { type Transaction } from '../database.ts';
import { sql } from '../database.ts';

/** Runs work on the only connection, outside any transaction, with a limit for one answer in milliseconds. */
export type Exclusive = <T>(limitMs: number, work: (session: Transaction) => Promise<T>) => Promise<T>;

export type PauseReason = 'backup' | 'checkpoint' | 'vacuum';

export interface UpkeepOptions {
  readonly directory: string;
  readonly exclusive: Exclusive;
  /** Counters of the engine: its fsync calls and the requests sent to it. */
  readonly activity: () => { readonly syncs: number; readonly requests: number };
  readonly onPause: (reason: PauseReason, pauseMs: number, table: string | null) => void;
  readonly onError: (error: Error) => void;
  /** Ends the engine at once; committed rows are safe. */
  readonly terminate: () => Promise<void>;
}

export interface Upkeep {
  /** Does what is due now; called once per second. */
  run(): Promise<void>;
  close(): Promise<void>;
}

const intervalMs = 1000;
/** After a failure, for example on a full disk. */
const retryMs = 60_000;
/** A vacuum of a very large table takes minutes; one that takes longer hangs. */
export const maintenanceLimitMs = 600_000;

/** Longest wait of a stop for a vacuum, in milliseconds. */
const closeWaitMs = 2000;

/** Bytes of the write-ahead log since the last checkpoint. With what is kept for reuse it stays below 128 MiB. */
const maxWalBytes = 48 * 1_048_576;
/** Dead rows that are worth a vacuum while there is nothing else to do. */
const idleDeadRows = 1000;
/** Dead rows, or a fifth of the table if that is more, that are worth making callers wait. */
const busyDeadRows = 10_000;
/** Transactions after which old rows must be frozen; 2 ^ 31 would be too late. */
const maxAge = 200_000_000;

export function createUpkeep(options: UpkeepOptions): Upkeep {
  const { activity, onError } = options;
  let seen = { syncs: -1, requests: -1 };
  let isTidy = false;
  let notBefore = 0;
  let running: Promise<void> | null = null;

  const work = async (): Promise<void> => {
    const now = activity();
    const isIdle = now.requests === seen.requests;
    // A database without writes costs no statement.
    if (isTidy && now.syncs === seen.syncs) return;
    await options.exclusive(maintenanceLimitMs, async (session) => {
      await checkpointIfDue(session, options);
      isTidy = !(await vacuumIfDue(session, options, isIdle)) && isIdle;
    });
    seen = activity();
  };
  const run = async (): Promise<void> => {
    running ??= work()
      .catch((error: unknown) => {
        // A migration or a restore has the connection.
        if (error instanceof DatabaseUnavailableError && error.reason === 'pool') return;
        notBefore = Date.now() + retryMs;
        onError(error instanceof Error ? error : new Error(String(error)));
      })
      .finally(() => {
        running = null;
      });
    return running;
  };
  const timer = setInterval(() => {
    if (Date.now() >= notBefore) void run();
  }, intervalMs);
  timer.unref();
  return {
    run,
    close: async () => {
      clearInterval(timer);
      if (!running) return;
      const isDone = await Promise.race([
        running.then(() => true),
        pause(closeWaitMs, false, { ref: false }),
      ]);
      // The engine cannot cancel a vacuum.
      if (!isDone) await options.terminate();
      await running;
    },
  };
}

async function checkpointIfDue(session: Transaction, { onPause }: UpkeepOptions): Promise<void> {
  // Rows that a statement killed are counted when it is over, once per second at most, but for this call.
  const [row] = await session.query<{ bytes: number }>(
    sql`select (pg_current_wal_insert_lsn() - redo_lsn)::float8 as bytes, pg_stat_force_next_flush()
          from pg_control_checkpoint()`,
  );
  if (!row || row.bytes < maxWalBytes) return;
  const begun = performance.now();
  await session.query(sql`checkpoint`);
  onPause('checkpoint', performance.now() - begun, null);
}

interface Candidate {
  readonly name: string;
  readonly bytes: number;
}

/** Vacuums the table with the most dead rows. @returns whether one was due */
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
  if (!table || !hasSpace(directory, table.bytes)) return false;
  const begun = performance.now();
  await session.query({ text: `vacuum ${table.name}`, values: [] });
  onPause('vacuum', performance.now() - begun, table.name);
  return true;
}

/** A vacuum may write every page of the table into the log, and the engine hangs on a full disk. */
function hasSpace(directory: string, bytes: number): boolean {
  const { bavail, bsize } = fs.statfsSync(directory);
  return bavail * bsize > bytes + 2 * maxWalBytes;
}
