/**
 * Runs long consistent reads in a second engine on a copy of the directory. The engine has a single session, in which a
 * long read would block all requests.
 */
import fs from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { sql, type Transaction } from '../database.ts';
import { DatabaseUnavailableError } from '../errors.ts';
import { openPool } from '../pool.ts';
import { requireSpace, startCopy } from './directory-copy.ts';
import { EmbeddedStream } from './embedded-stream.ts';
import { maintenanceTimeoutMs, type Exclusive } from './upkeep.ts';
import { EmbeddedWorker } from './embedded-worker.ts';

export interface SnapshotOptions {
  /** The bundle of `worker-thread.ts`. */
  readonly workerFile: string;
  readonly directory: string;
  readonly exclusive: Exclusive;
  readonly onConnectionError: (error: Error) => void;
  /** @param pauseMs duration for which all other statements waited, in milliseconds */
  readonly onPause: (pauseMs: number) => void;
}

export interface Snapshots {
  run<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Terminates a running snapshot and removes its copy. */
  close(): Promise<void>;
}

/** Maximum wait of a shutdown for a running copy, in milliseconds. */
const closeTimeoutMs = 3000;

const toCopyDirectory = (directory: string): string => `${directory}.copy`;

/** Removes the copy of a killed process. */
export const removeCopy = async (directory: string): Promise<void> =>
  fs.promises.rm(toCopyDirectory(directory), { recursive: true, force: true });

/** Creates a snapshot runner. Snapshots run one at a time. */
export function createSnapshots(options: SnapshotOptions): Snapshots {
  const { directory } = options;
  let last: Promise<unknown> = Promise.resolve();
  let worker: EmbeddedWorker | undefined;
  let closed = false;
  const closing = new AbortController();
  const requireOpen = (): void => {
    if (closed) throw new DatabaseUnavailableError('The embedded database is closed.');
  };
  const read = async <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => {
    requireOpen();
    try {
      await copyDirectory(options);
      requireOpen();
      const started = await EmbeddedWorker.start({
        workerFile: options.workerFile,
        directory: toCopyDirectory(directory),
        limits: { resultTimeoutMs: maintenanceTimeoutMs },
        purpose: 'copy',
        signal: closing.signal,
      });
      worker = started;
      requireOpen();
      return await readFrom(started, options, work);
    } finally {
      await worker?.terminate();
      worker = undefined;
      await removeCopy(directory);
    }
  };
  return {
    run: (work) => {
      const next = last.then(() => read(work));
      last = next.catch(() => {});
      return next;
    },
    close: async () => {
      closed = true;
      closing.abort();
      await worker?.terminate();
      // The next start removes what an unfinished copy leaves.
      await Promise.race([last, pause(closeTimeoutMs, undefined, { ref: false })]);
    },
  };
}

/** Copies the directory with the needed write-ahead log, which a checkpoint shortens. */
async function copyDirectory({ directory, exclusive, onPause }: SnapshotOptions): Promise<void> {
  await removeCopy(directory);
  // Before the checkpoints, which also need space.
  requireSpace(directory);
  // The first checkpoint shortens the second one, during which all other statements wait.
  await exclusive(maintenanceTimeoutMs, (session) => session.query(sql`checkpoint`));
  const completeCopy = await startCopy(directory, toCopyDirectory(directory));
  await exclusive(maintenanceTimeoutMs, async (session) => {
    const startedAt = performance.now();
    await session.query(sql`checkpoint`);
    const [row] = await session.query<{ segment: string }>(
      sql`select pg_walfile_name(redo_lsn) as segment from pg_control_checkpoint()`,
    );
    await completeCopy(row?.segment ?? '');
    onPause(performance.now() - startedAt);
  });
}

async function readFrom<T>(
  worker: EmbeddedWorker,
  { onConnectionError }: SnapshotOptions,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const database = await openPool({
    engine: 'embedded',
    client: { user: 'postgres', stream: () => new EmbeddedStream(async () => worker) },
    size: 1,
    connectionTimeoutMs: 10_000,
    onConnectionError,
  });
  try {
    return await database.maintenance(work);
  } finally {
    worker.expectClose();
    await database.close();
  }
}
