import fs from 'node:fs';
import path from 'node:path';
import type { Database } from '../database.ts';
import { openPool, type PooledDatabase } from '../pool.ts';
import { directorySizes } from './directory-copy.ts';
import { createSingleWorker } from './single-worker.ts';
import { createSnapshots, removeCopy } from './snapshot.ts';
import { EmbeddedStream } from './embedded-stream.ts';
import { createUpkeep, type Exclusive, type PauseReason, type Upkeep } from './upkeep.ts';
import { EmbeddedWorker, type WorkerLimits } from './embedded-worker.ts';

/** Major version of Postgres inside PGlite. */
export const embeddedMajor = 18;

export interface EmbeddedOptions {
  /** The data directory; the files of Postgres are in its directory `database`. */
  readonly dataDir: string;
  /** The bundle of `worker-thread.ts`. */
  readonly workerFile: string;
  /** Longest time for one answer of the engine, in milliseconds. */
  readonly answerLimit: number;
  /** Longest wait of one caller while the engine opens again, in milliseconds; the opening itself goes on. */
  readonly waitLimit?: number;
  readonly onConnectionError: (error: Error) => void;
  /** Called after every caller had to wait, with the reason, the milliseconds, and the vacuumed table. */
  readonly onPause?: (reason: PauseReason, pauseMs: number, table: string | null) => void;
}

export interface EmbeddedDatabase extends Database {
  /** fsync calls of the engine since its start. */
  syncs(): number;
  readonly upkeep: Upkeep;
}

/** Opens (and on first use creates) the embedded Postgres. The caller holds the directory's lock. */
export async function openEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const directory = path.join(options.dataDir, 'database');
  fs.mkdirSync(directory, { recursive: true, mode: 0o700 });
  await removeCopy(directory);
  const limits: WorkerLimits = { answer: Number.POSITIVE_INFINITY };
  // A new connection gets a new worker: whatever broke the one before, or was left open in it, is gone.
  const workers = createSingleWorker(() =>
    EmbeddedWorker.start({ workerFile: options.workerFile, directory, limits }),
  );
  const extended = extendedLimits(limits, options.answerLimit);

  // Creating the directory may take long on a small machine: that is no wait for a free connection.
  await workers.get();
  const closeEngine = async (): Promise<void> => (await workers.end())?.close();
  const database = await openPool({
    engine: 'embedded',
    client: { user: 'postgres', stream: () => new EmbeddedStream(workers.get) },
    size: 1,
    waitLimit: options.waitLimit ?? 10_000,
    onConnectionError: options.onConnectionError,
    unlimited: (work) => extended(Number.POSITIVE_INFINITY, work),
    onClose: closeEngine,
  }).catch(async (error: unknown) => {
    // The caller gives the directory's lock back.
    await closeEngine();
    throw error;
  });
  limits.answer = options.answerLimit;
  return withUpkeep(options, { directory, database, workers, extended });
}

type Extended = <T>(limitMs: number, work: () => Promise<T>) => Promise<T>;

/** @returns runs work during which one answer may take longer; works that overlap share the longest limit. */
function extendedLimits(limits: WorkerLimits, usual: number): Extended {
  let running = 0;
  return async (limitMs, work) => {
    running += 1;
    limits.answer = Math.max(limits.answer, limitMs);
    try {
      return await work();
    } finally {
      running -= 1;
      if (running === 0) limits.answer = usual;
    }
  };
}

interface OpenedEngine {
  readonly directory: string;
  readonly database: PooledDatabase;
  readonly workers: ReturnType<typeof createSingleWorker<EmbeddedWorker>>;
  readonly extended: Extended;
}

function withUpkeep(
  { workerFile, onConnectionError, onPause }: EmbeddedOptions,
  { directory, database, workers, extended }: OpenedEngine,
): EmbeddedDatabase {
  const exclusive: Exclusive = (limitMs, work) =>
    database.exclusive((session) => extended(limitMs, () => work(session)));
  const snapshots = createSnapshots({
    workerFile,
    directory,
    exclusive,
    onConnectionError,
    onPause: (pauseMs) => onPause?.('backup', pauseMs, null),
  });
  const upkeep = createUpkeep({
    directory,
    exclusive,
    activity: () => ({ syncs: workers.current?.syncs ?? 0, requests: workers.current?.requests ?? 0 }),
    onPause: (...pause) => onPause?.(...pause),
    onError: onConnectionError,
    terminate: async () => workers.current?.terminate(),
  });
  return {
    ...database,
    connections: () => ({ ...database.connections(), restarts: workers.starts - 1 }),
    syncs: () => workers.current?.syncs ?? 0,
    sizes: () => directorySizes(directory),
    snapshot: snapshots.run,
    upkeep,
    close: async () => {
      await Promise.all([snapshots.close(), upkeep.close()]);
      workers.current?.expectClose();
      await database.close();
    },
  };
}
