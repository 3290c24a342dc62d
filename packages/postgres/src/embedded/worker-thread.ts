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
import { ResponseMonitor } from './response-monitor.ts';

export interface WorkerInput {
  readonly directory: string;
  /**
   * `create` creates a database in an empty directory, the others need one. A `copy` is temporary: it needs no durable
   * writes and runs with low priority.
   */
  readonly purpose: 'create' | 'service' | 'copy';
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

/** The latest message of the engine that ends it, which its exceptions do not contain. */
let lastFatalMessage: string | null = null;

/**
 * Ends this thread immediately. An engine that continued after a fatal error could respond as if a commit were durable,
 * or never respond.
 */
function fail(reason: string): never {
  const message = lastFatalMessage ?? reason;
  const cause = message.endsWith(': I/O error') ? fileSystem.inputOutputError : null;
  send({ kind: 'failed', message: cause ? `${message} (${cause.message})` : message });
  return process.exit(1);
}

let syncs = 0;
const fileSystem = new DurableFS(directory, {
  onSync: () => {
    syncs += 1;
  },
  onFailure: fail,
});
const engine = new PGlite({
  fs: fileSystem,
  // Without a database in the directory, PGlite would create one. It has no option against that, so initdb must fail.
  ...(purpose !== 'create' && { initDbStartParams: ['--not-an-option'] }),
  startParams: purpose === 'copy' ? copyStartParams : durableStartParams,
  pgliteWasmModule: module,
  // The migrations create trigram indexes.
  extensions: { pg_trgm: trigrams },
  onStderr: (line) => {
    const [, message] = /^[^[]*\[\d+\] ((?:FATAL|PANIC): .*)/.exec(line) ?? [];
    if (message !== undefined) lastFatalMessage = message.replace(/ {2,}/, ' ');
    return false;
  },
});

/** Returns the error message. The file system of the engine throws objects that contain only a number. */
const toErrorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : (fileSystem.lastError?.message ?? JSON.stringify(error));

async function start(): Promise<void> {
  await engine.waitReady;
  // A single-user session starts without a session authorization, so the end of a transaction could not restore it and
  // the session would keep the role of a request.
  await engine.exec('set session authorization postgres');
  fileSystem.hasDatabase = true;
}

/**
 * Returns the response to protocol messages. `execProtocolRaw` of PGlite 0.5.16 parses each response and keeps the result
 * until the engine closes, so a service that runs for long would run out of memory.
 */
async function runRequest(request: Uint8Array): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  const monitor = new ResponseMonitor(request);
  await engine.execProtocolRawStream(request, {
    onRawData: (chunk) => {
      monitor.push(chunk);
      if (monitor.failure !== null) fail(monitor.failure);
      // A chunk is a view of the memory of the engine.
      chunks.push(chunk.slice());
    },
  });
  if (!monitor.isComplete) fail('the response is incomplete');
  return Buffer.concat(chunks);
}

// Messages run in order, because the engine has a single session.
let queue: Promise<void> = start().then(
  () => {
    // The creation of a directory tries settings that the engine rejects.
    lastFatalMessage = null;
    send({ kind: 'ready' });
  },
  (error: unknown) => fail(toErrorMessage(error)),
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
      fail(toErrorMessage(error));
    }
  });
});
