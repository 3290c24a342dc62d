/** Opens the embedded Postgres: worker thread, pool, maintenance and snapshots of one directory. */
import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../database.ts';
import { openPool, type PooledDatabase } from '../pool.ts';
import { toDatabaseDirectory, toVersionFile } from './database-paths.ts';
import { readDirectorySizes } from './directory-copy.ts';
import { canCheckpoint } from './free-space.ts';
import { createSingleWorker } from './single-worker.ts';
import { createSnapshots, removeCopy, type Snapshots } from './snapshot.ts';
import { EmbeddedStream } from './embedded-stream.ts';
import { createUpkeep, type Exclusive, type PauseReason, type Upkeep } from './upkeep.ts';
import { EmbeddedWorker, type WorkerLimits, type WorkerOptions } from './embedded-worker.ts';

/** Major version of Postgres in PGlite. */
export const embeddedMajor = 18;

/** Maximum wait of a shutdown for running statements, in milliseconds. */
const closeTimeoutMs = 5000;

/** Maximum duration of `close`, in milliseconds. Then the engine is terminated; committed rows are durable. */
const maxCloseMs = 15_000;

export interface EmbeddedOptions {
  /** The data directory. */
  readonly dataDir: string;
  /** The bundle of `worker-thread.ts`. */
  readonly workerFile: string;
  /** Maximum wait for a response of the engine, in milliseconds. After it the engine is restarted. */
  readonly resultTimeoutMs: number;
  /** Maximum wait for the connection, also during a restart of the engine, in milliseconds. Default: 10 seconds. */
  readonly connectionTimeoutMs?: number;
  readonly onConnectionError: (error: Error) => void;
  /** Called after maintenance that blocked all statements, with its duration in milliseconds and the vacuumed table. */
  readonly onPause?: (reason: PauseReason, pauseMs: number, table: string | null) => void;
}

export interface EmbeddedDatabase extends Database {
  /** Returns the number of fsync calls since the engine started. */
  syncs(): number;
  readonly upkeep: Upkeep;
}

/**
 * Opens the embedded Postgres and creates it on first use. The caller must own the directory lock.
 *
 * @throws DatabaseUnavailableError
 */
export async function openEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const directory = toDatabaseDirectory(options.dataDir);
  fs.mkdirSync(directory, { recursive: true, mode: 0o700 });
  await removeCopy(directory);
  const limits: WorkerLimits = { resultTimeoutMs: Number.POSITIVE_INFINITY };
  // Each connection gets a new worker, so no session state or failure of an earlier connection remains.
  // Only the first one can create the database: later a missing one is lost, and an empty one must not replace it.
  let purpose: NonNullable<WorkerOptions['purpose']> = fs.existsSync(toVersionFile(directory))
    ? 'service'
    : 'create';
  const workers = createSingleWorker(async (signal) => {
    const { workerFile } = options;
    const worker = await EmbeddedWorker.start({ workerFile, directory, limits, purpose, signal });
    purpose = 'service';
    return worker;
  });
  const withTimeout = createWithTimeout(limits, options.resultTimeoutMs);

  // Creating the directory can take longer than the connection timeout, so the worker starts before the pool.
  await workers.get();
  const closeEngine = async (): Promise<void> => {
    const worker = await workers.close();
    // Without space for the final checkpoint, the next start reads the write-ahead log.
    await (canCheckpoint(directory) ? worker?.close() : worker?.terminate());
  };
  const database = await openPool({
    engine: 'embedded',
    client: { user: 'postgres', stream: () => new EmbeddedStream(workers.get) },
    size: 1,
    connectionTimeoutMs: options.connectionTimeoutMs ?? 10_000,
    onConnectionError: options.onConnectionError,
    withoutTimeout: (work) => withTimeout(Number.POSITIVE_INFINITY, work),
    closeTimeoutMs,
    onClose: closeEngine,
  }).catch(async (error: unknown) => {
    // The engine must be closed before the caller releases the directory lock.
    await closeEngine();
    throw error;
  });
  limits.resultTimeoutMs = options.resultTimeoutMs;
  return withUpkeep(options, { directory, database, workers, withTimeout });
}

type WithTimeout = <T>(timeoutMs: number, work: () => Promise<T>) => Promise<T>;

/** Returns a function that runs work with a longer result timeout. Concurrent calls share the longest timeout. */
function createWithTimeout(limits: WorkerLimits, defaultTimeoutMs: number): WithTimeout {
  let running = 0;
  return async (timeoutMs, work) => {
    running += 1;
    limits.resultTimeoutMs = Math.max(limits.resultTimeoutMs, timeoutMs);
    try {
      return await work();
    } finally {
      running -= 1;
      if (running === 0) limits.resultTimeoutMs = defaultTimeoutMs;
    }
  };
}

interface OpenEngine {
  readonly directory: string;
  readonly database: PooledDatabase;
  readonly workers: ReturnType<typeof createSingleWorker<EmbeddedWorker>>;
  readonly withTimeout: WithTimeout;
}

function withUpkeep(
  { workerFile, onConnectionError, onPause }: EmbeddedOptions,
  { directory, database, workers, withTimeout }: OpenEngine,
): EmbeddedDatabase {
  const exclusive: Exclusive = (timeoutMs, work) =>
    database.exclusive((session) => withTimeout(timeoutMs, () => work(session)));
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
    sizes: () => readDirectorySizes(directory),
    snapshot: snapshots.run,
    upkeep,
    close: async () => {
      const closed = closeGracefully({ database, workers, snapshots, upkeep });
      const isDone = await Promise.race([closed.then(() => true), sleep(maxCloseMs, false, { ref: false })]);
      if (isDone) return;
      closed.catch(onConnectionError);
      await workers.current?.terminate();
    },
  };
}

interface OpenParts extends Pick<OpenEngine, 'database' | 'workers'> {
  readonly snapshots: Snapshots;
  readonly upkeep: Upkeep;
}

async function closeGracefully({ database, workers, snapshots, upkeep }: OpenParts): Promise<void> {
  // No engine starts from now on, also if the current one fails.
  await workers.close();
  await Promise.all([snapshots.close(), upkeep.close()]);
  workers.current?.expectClose();
  await database.close();
}
