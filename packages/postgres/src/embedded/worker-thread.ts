/**
 * The worker thread that owns the embedded Postgres. It receives bytes of the wire protocol and
 * answers with bytes; nothing else crosses the border. A query that never ends blocks only this
 * thread, which the other side then ends (`stream.ts`).
 */
import type { EngineModule } from './engine-module.ts';
import os from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { pg_trgm as trigrams } from '@electric-sql/pglite/contrib/pg_trgm';
import { copyStartParams, DurableFS, durableStartParams } from './durable-fs.ts';

export interface WorkerInput {
  readonly directory: string;
  /** A `copy` is read once: it needs no durable writes, and the service goes first. */
  readonly purpose: 'service' | 'copy';
  /** The engine, compiled. */
  readonly module: EngineModule;
}

/** Bytes of the wire protocol, or what no byte can say. */
export type WorkerRequest = Uint8Array | 'close';

export type WorkerMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'answer'; readonly bytes: Uint8Array; readonly syncs: number }
  | { readonly kind: 'closed' }
  | { readonly kind: 'failed'; readonly message: string };

const port = parentPort;
if (!port) throw new Error('worker.ts runs as a worker thread only');
const { directory, purpose, module } = workerData as WorkerInput;

// On Linux a priority belongs to a thread (setpriority(2)); elsewhere to the whole process.
if (purpose === 'copy' && process.platform === 'linux') os.setPriority(os.constants.priority.PRIORITY_LOW);

const send = (message: WorkerMessage): void => port.postMessage(message);

let syncs = 0;
const engine = new PGlite({
  fs: new DurableFS(directory, () => {
    syncs += 1;
  }),
  startParams: purpose === 'copy' ? copyStartParams : durableStartParams,
  pgliteWasmModule: module,
  // Searching accounts uses its index (db/migrations).
  extensions: { pg_trgm: trigrams },
});

/** The engine's file system throws plain objects. */
const describe = (error: unknown): string => (error instanceof Error ? error.message : JSON.stringify(error));

async function start(): Promise<void> {
  await engine.waitReady;
  // A single-user session begins without a value here, and without one there is nothing to which the
  // end of a transaction could bring the session back: it would keep a request's role.
  await engine.exec('set session authorization postgres');
}

// One message after the other: the engine is one session.
let queue: Promise<void> = start().then(
  () => send({ kind: 'ready' }),
  (error: unknown) => send({ kind: 'failed', message: describe(error) }),
);

port.on('message', (request: WorkerRequest) => {
  queue = queue.then(async () => {
    try {
      if (request === 'close') {
        await engine.close();
        send({ kind: 'closed' });
      } else {
        send({ kind: 'answer', bytes: await engine.execProtocolRaw(request), syncs });
      }
    } catch (error) {
      send({ kind: 'failed', message: describe(error) });
    }
  });
});
