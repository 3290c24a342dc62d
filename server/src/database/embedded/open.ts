import fs from 'node:fs';
import path from 'node:path';
import type { Database } from '../database.ts';
import { openPool } from '../pool.ts';
import { oneWorker } from './one-worker.ts';
import { EmbeddedStream } from './stream.ts';
import { EmbeddedWorker, type WorkerLimits } from './worker-handle.ts';

export interface EmbeddedOptions {
  /** DATA_DIR; Postgres lives in its folder `database`. */
  readonly dataDir: string;
  /** Longest time for one answer of the engine, in milliseconds. */
  readonly answerLimit: number;
  /** Longest wait of one caller while the engine opens again, in milliseconds; the opening itself goes on. */
  readonly waitLimit?: number;
  readonly onConnectionError: (error: Error) => void;
}

export interface EmbeddedDatabase extends Database {
  /** fsync calls of the engine since its start. */
  syncs(): number;
}

/** Opens (and on first use creates) the embedded Postgres. The caller holds the directory's lock. */
export async function openEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const directory = path.join(options.dataDir, 'database');
  fs.mkdirSync(directory, { recursive: true, mode: 0o700 });
  const limits: WorkerLimits = { answer: Number.POSITIVE_INFINITY };
  // A new connection gets a new worker: whatever broke the one before, or was left open in it, is gone.
  const workers = oneWorker(() => EmbeddedWorker.start(directory, limits));
  let longWorks = 0;
  const unlimited = async <T>(work: () => Promise<T>): Promise<T> => {
    longWorks += 1;
    limits.answer = Number.POSITIVE_INFINITY;
    try {
      return await work();
    } finally {
      longWorks -= 1;
      if (longWorks === 0) limits.answer = options.answerLimit;
    }
  };

  // Creating the directory may take long on a small machine: that is no wait for a free connection.
  await workers.get();
  const closeEngine = async (): Promise<void> => (await workers.end())?.close();
  const database = await openPool({
    engine: 'embedded',
    client: { user: 'postgres', stream: () => new EmbeddedStream(workers.get) },
    size: 1,
    waitLimit: options.waitLimit ?? 10_000,
    onConnectionError: options.onConnectionError,
    unlimited,
    onClose: closeEngine,
  }).catch(async (error: unknown) => {
    // The caller gives the directory's lock back.
    await closeEngine();
    throw error;
  });
  limits.answer = options.answerLimit;
  return {
    ...database,
    connections: () => ({ ...database.connections(), restarts: workers.starts - 1 }),
    syncs: () => workers.current?.syncs ?? 0,
    close: async () => {
      workers.current?.expectClose();
      await database.close();
    },
  };
}
