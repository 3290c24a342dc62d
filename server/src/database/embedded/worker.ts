/**
 * The worker thread that owns the embedded Postgres. It receives bytes of the wire protocol and
 * answers with bytes; nothing else crosses the border. A query that never ends blocks only this
 * thread, which the other side then ends (`stream.ts`).
 */
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { DurableFS, durableStartParams } from './durable-fs.ts';

export interface WorkerInput {
  readonly directory: string;
}

export type WorkerMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'answer'; readonly bytes: Uint8Array; readonly syncs: number }
  | { readonly kind: 'closed' }
  | { readonly kind: 'failed'; readonly message: string };

const port = parentPort;
if (!port) throw new Error('worker.ts runs as a worker thread only');
const { directory } = workerData as WorkerInput;

const send = (message: WorkerMessage): void => port.postMessage(message);

let syncs = 0;
const engine = new PGlite({
  fs: new DurableFS(directory, () => {
    syncs += 1;
  }),
  startParams: durableStartParams,
});

const describe = (error: unknown): string => (error instanceof Error ? error.message : String(error));

// One message after the other: the engine is one session.
let queue: Promise<void> = engine.waitReady.then(
  () => send({ kind: 'ready' }),
  (error: unknown) => send({ kind: 'failed', message: describe(error) }),
);

port.on('message', (bytes: Uint8Array | null) => {
  queue = queue.then(async () => {
    try {
      if (bytes === null) {
        await engine.close();
        send({ kind: 'closed' });
        return;
      }
      send({ kind: 'answer', bytes: await engine.execProtocolRaw(bytes), syncs });
    } catch (error) {
      send({ kind: 'failed', message: describe(error) });
    }
  });
});
