/**
 * Reads one state of the embedded database while it goes on working: from a copy of its directory, in a second
 * engine. The engine is one session, so a long read in it would hold up every request.
 */
import fs from 'node:fs';
import { sql } from '../database.ts';
import { DatabaseUnavailableError } from '../errors.ts';
import { type Transaction } from '../database.ts';
import { openPool } from '../pool.ts';
import { beginCopy } from './directory-copy.ts';
import { EmbeddedStream } from './embedded-stream.ts';
import { maintenanceLimitMs, type Exclusive } from './upkeep.ts';
import { EmbeddedWorker } from './embedded-worker.ts';

export interface SnapshotOptions {
  /** The bundle of `worker-thread.ts`. */
  readonly workerFile: string;
  readonly directory: string;
  readonly exclusive: Exclusive;
  readonly onConnectionError: (error: Error) => void;
  /** @param pauseMs milliseconds for which other callers could not use the database */
  readonly onPause: (pauseMs: number) => void;
}

export interface Snapshots {
  run<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Ends what runs and removes its copy. */
  close(): Promise<void>;
}

const copyOf = (directory: string): string => `${directory}.copy`;

/** Removes the copy that a killed process left. */
export const removeCopy = async (directory: string): Promise<void> =>
  fs.promises.rm(copyOf(directory), { recursive: true, force: true });

/** One copy exists at a time: the others wait. */
export function createSnapshots(options: SnapshotOptions): Snapshots {
  const { directory } = options;
  let last: Promise<unknown> = Promise.resolve();
  let worker: EmbeddedWorker | undefined;
  let closed = false;
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
        directory: copyOf(directory),
        limits: { answer: Number.POSITIVE_INFINITY },
        purpose: 'copy',
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
      await worker?.terminate();
      await last;
    },
  };
}

/** A copy without the write-ahead log would be torn: the checkpoint makes what is needed of it short. */
async function copyDirectory({ directory, exclusive, onPause }: SnapshotOptions): Promise<void> {
  await removeCopy(directory);
  // The first checkpoint leaves little for the second, during which every caller waits.
  await exclusive(maintenanceLimitMs, (session) => session.query(sql`checkpoint`));
  const finish = await beginCopy(directory, copyOf(directory));
  await exclusive(maintenanceLimitMs, async (session) => {
    const begun = performance.now();
    await session.query(sql`checkpoint`);
    const [row] = await session.query<{ segment: string }>(
      sql`select pg_walfile_name(redo_lsn) as segment from pg_control_checkpoint()`,
    );
    await finish(row?.segment ?? '');
    onPause(performance.now() - begun);
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
    waitLimit: 10_000,
    onConnectionError,
  });
  try {
    return await database.maintenance(work);
  } finally {
    worker.expectClose();
    await database.close();
  }
}
