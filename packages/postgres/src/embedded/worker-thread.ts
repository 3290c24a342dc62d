/**
 * Runs the embedded Postgres in a worker thread, which exchanges bytes of the wire protocol with the service. A statement
 * that never ends blocks only this thread, and `embedded-worker.ts` terminates it.
 */
import type { EngineModule } from './engine-module.ts';
import os from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { pg_trgm as trigrams } from '@electric-sql/pglite/contrib/pg_trgm';
import { copyStartParams, DurableFS, durableStartParams } from './durable-fs.ts';

export interface WorkerInput {
  readonly directory: string;
  /** A `copy` is temporary: it needs no durable writes and runs with low priority. */
  readonly purpose: 'service' | 'copy';
  /** The compiled engine. */
  readonly module: EngineModule;
}

/** Bytes of the wire protocol, or the command to shut down. */
export type WorkerRequest = Uint8Array | 'close';

export type WorkerMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'response'; readonly bytes: Uint8Array; readonly syncs: number }
  | { readonly kind: 'closed' }
  | { readonly kind: 'failed'; readonly message: string };

const port = parentPort;
if (!port) throw new Error('worker-thread.ts must run as a worker thread');
const { directory, purpose, module } = workerData as WorkerInput;

// Linux sets the priority of a thread (setpriority(2)), other systems that of the whole process.
if (purpose === 'copy' && process.platform === 'linux') os.setPriority(os.constants.priority.PRIORITY_LOW);

const send = (message: WorkerMessage): void => port.postMessage(message);

let syncs = 0;
const engine = new PGlite({
  fs: new DurableFS(directory, () => {
    syncs += 1;
  }),
  startParams: purpose === 'copy' ? copyStartParams : durableStartParams,
  pgliteWasmModule: module,
  // The migrations create trigram indexes.
  extensions: { pg_trgm: trigrams },
});

/** Returns the error message. The file system of the engine throws plain objects. */
const errorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : JSON.stringify(error);

async function start(): Promise<void> {
  await engine.waitReady;
  // A single-user session starts without a session authorization, so the end of a transaction could not restore it and
  // the session would keep the role of a request.
  await engine.exec('set session authorization postgres');
}

/**
 * Returns the response to protocol messages. `execProtocolRaw` of PGlite 0.5.16 parses each response and keeps the result
 * until the engine closes, so a service that runs for long would run out of memory.
 */
async function runRequest(request: Uint8Array): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  // A chunk is a view of the memory of the engine.
  await engine.execProtocolRawStream(request, { onRawData: (chunk) => void chunks.push(chunk.slice()) });
  return Buffer.concat(chunks);
}

// Messages run in order, because the engine has a single session.
let queue: Promise<void> = start().then(
  () => send({ kind: 'ready' }),
  (error: unknown) => send({ kind: 'failed', message: errorMessage(error) }),
);

port.on('message', (request: WorkerRequest) => {
  queue = queue.then(async () => {
    try {
      if (request === 'close') {
        await engine.close();
        send({ kind: 'closed' });
      } else {
        send({ kind: 'response', bytes: await runRequest(request), syncs });
      }
    } catch (error) {
      send({ kind: 'failed', message: errorMessage(error) });
    }
  });
});
