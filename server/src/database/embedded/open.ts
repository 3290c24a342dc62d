import fs from 'node:fs';
import path from 'node:path';
import type { Database } from '../database.ts';
import { openPool } from '../pool.ts';
import { EmbeddedStream } from './stream.ts';
import { EmbeddedWorker, type WorkerLimits } from './worker-handle.ts';

export interface EmbeddedOptions {
  /** DATA_DIR; Postgres lives in its folder `database`. */
  readonly dataDir: string;
  /** Longest time for one answer of the engine, in milliseconds. */
  readonly answerLimit: number;
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
  let current: EmbeddedWorker | undefined;
  let starts = 0;

  // A new connection gets a new worker: whatever broke the one before, or was left open in it, is gone.
  const worker = async (): Promise<EmbeddedWorker> => {
    if (current?.fresh) return current;
    await current?.terminate();
    current = await EmbeddedWorker.start(directory, limits);
    starts += 1;
    return current;
  };
  const unlimited = async <T>(work: () => Promise<T>): Promise<T> => {
    const before = limits.answer;
    limits.answer = Number.POSITIVE_INFINITY;
    try {
      return await work();
    } finally {
      limits.answer = before;
    }
  };

  // Creating the directory may take long on a small machine: that is no wait for a free connection.
  await worker();
  const database = await openPool({
    engine: 'embedded',
    client: { user: 'postgres', stream: () => new EmbeddedStream(worker) },
    size: 1,
    waitLimit: 10_000,
    onConnectionError: options.onConnectionError,
    unlimited,
    onClose: async () => current?.close(),
  });
  limits.answer = options.answerLimit;
  return {
    ...database,
    connections: () => ({ ...database.connections(), restarts: starts - 1 }),
    syncs: () => current?.syncs ?? 0,
    close: async () => {
      current?.expectClose();
      await database.close();
    },
  };
}
