/** Starts, monitors and closes the worker thread of the embedded engine. */
import fs from 'node:fs';
import { Worker } from 'node:worker_threads';
import { DatabaseUnavailableError } from '../errors.ts';
import { toVersionFile } from './database-paths.ts';
import { loadEngineModule } from './engine-module.ts';
import type { WorkerInput, WorkerMessage, WorkerRequest } from './worker-thread.ts';

export interface WorkerLimits {
  /** Maximum wait for a response, in milliseconds. Infinity disables the watchdog and the timeout of the start. */
  resultTimeoutMs: number;
}

export interface WorkerOptions {
  /** The bundle of `worker-thread.ts`. */
  readonly workerFile: string;
  readonly directory: string;
  readonly limits: WorkerLimits;
  /** Default: `service`, which needs a database in the directory. */
  readonly purpose?: WorkerInput['purpose'];
  /** Terminates a worker that has not started. */
  readonly signal?: AbortSignal;
}

/** Maximum time of a start, in milliseconds. A small busy machine can need half a minute. */
const startTimeoutMs = 120_000;

/** Maximum time of a shutdown, in milliseconds. */
const closeTimeoutMs = 5000;

export class EmbeddedWorker {
  readonly #worker: Worker;
  readonly #limits: WorkerLimits;
  #onResponse: (bytes: Uint8Array) => void = () => {};
  #onLost: (error: Error) => void = () => {};
  #watchdog: NodeJS.Timeout | undefined;
  #pending = 0;
  #stopped = false;
  #attached = false;
  #expectsClose = false;
  /** Number of fsync calls since the start. */
  syncs = 0;
  /** Number of requests sent to the engine since the start. */
  requests = 0;

  private constructor(worker: Worker, limits: WorkerLimits) {
    this.#worker = worker;
    this.#limits = limits;
    worker.on('message', (message: WorkerMessage) => this.#receive(message));
    worker.on('error', (error) => this.#lose(error.message));
    worker.on('exit', () => this.#lose('the worker thread exited'));
  }

  /**
   * Opens the data directory in a new thread. Resolves when Postgres accepts statements.
   *
   * @throws DatabaseUnavailableError
   */
  static async start({
    workerFile,
    directory,
    limits,
    purpose = 'service',
    signal,
  }: WorkerOptions): Promise<EmbeddedWorker> {
    const startError = (reason: string): DatabaseUnavailableError =>
      new DatabaseUnavailableError(`The embedded database cannot be opened: ${reason}.`);
    if (purpose !== 'create' && !fs.existsSync(toVersionFile(directory)))
      throw startError(`${directory} contains no database; if it is on a volume, mount it`);
    const input: WorkerInput = { directory, purpose, module: await loadEngineModule() };
    if (signal?.aborted) throw startError('it is being closed');
    const worker = new Worker(workerFile, { workerData: input });
    let timer: NodeJS.Timeout | undefined;
    let onAbort = (): void => {};
    try {
      await new Promise<void>((resolve, reject) => {
        worker.once('message', (message: WorkerMessage) => {
          if (message.kind === 'ready') resolve();
          else reject(startError(message.kind === 'failed' ? message.message : 'unexpected response'));
        });
        worker.once('error', (error) => reject(startError(error.message)));
        worker.once('exit', () => reject(startError('the worker thread exited')));
        onAbort = () => reject(startError('it is being closed'));
        signal?.addEventListener('abort', onAbort);
        // No timeout while the database is opened for the first time: creating or recovering a directory can take long.
        if (Number.isFinite(limits.resultTimeoutMs))
          timer = setTimeout(
            () => reject(startError(`not ready within ${startTimeoutMs} ms`)),
            startTimeoutMs,
          );
      });
    } catch (error) {
      // Two engines must never have the directory open.
      await worker.terminate();
      throw error;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    }
    worker.removeAllListeners('error');
    worker.removeAllListeners('exit');
    return new EmbeddedWorker(worker, limits);
  }

  /** True until a connection is attached or the worker stops. */
  get unused(): boolean {
    return !this.#attached && !this.#stopped;
  }

  /**
   * Attaches a connection.
   *
   * @returns a function that detaches it and terminates the worker, so no session state reaches another connection
   */
  attach(onResponse: (bytes: Uint8Array) => void, onLost: (error: Error) => void): () => void {
    this.#attached = true;
    this.#onResponse = onResponse;
    this.#onLost = onLost;
    return () => {
      this.#onResponse = () => {};
      this.#onLost = () => {};
      if (!this.#expectsClose) void this.terminate();
    };
  }

  /** Call before closing the connection: detaching then keeps the worker, which can write its final checkpoint. */
  expectClose(): void {
    this.#expectsClose = true;
  }

  send(bytes: Uint8Array): void {
    this.#pending += 1;
    this.requests += 1;
    this.#startWatchdog();
    // A copy, because postMessage would clone the whole memory that the bytes are part of.
    const request: WorkerRequest = new Uint8Array(bytes);
    this.#worker.postMessage(request);
  }

  /** Terminates the thread and its connection. Committed rows are durable; the next start recovers the directory. */
  async terminate(): Promise<void> {
    // The pool closes this connection itself, so a termination is not an error of it.
    if (this.#expectsClose) this.#onLost = () => {};
    this.#lose('the worker was terminated');
    await this.#worker.terminate();
  }

  /**
   * Shuts Postgres down with a checkpoint, or terminates it after 5 seconds. Resolves when the thread no longer accesses the
   * directory.
   */
  async close(): Promise<void> {
    if (this.#stopped) return this.terminate();
    this.#stopped = true;
    clearTimeout(this.#watchdog);
    const closed = new Promise<void>((resolve) => {
      this.#worker.on('message', (message: WorkerMessage) => {
        if (message.kind === 'closed' || message.kind === 'failed') resolve();
      });
      // A thread without memory exits without a message.
      this.#worker.once('exit', () => resolve());
      setTimeout(resolve, closeTimeoutMs).unref();
    });
    this.#worker.postMessage('close' satisfies WorkerRequest);
    await closed;
    await this.#worker.terminate();
  }

  /** The engine does not support `statement_timeout`, and a defect could make it loop forever. */
  #startWatchdog(): void {
    clearTimeout(this.#watchdog);
    if (!Number.isFinite(this.#limits.resultTimeoutMs)) return;
    this.#watchdog = setTimeout(() => {
      this.#lose(`no response within ${this.#limits.resultTimeoutMs} ms`);
      void this.terminate();
    }, this.#limits.resultTimeoutMs);
  }

  #receive(message: WorkerMessage): void {
    if (message.kind === 'response') {
      this.#pending -= 1;
      this.syncs = message.syncs;
      clearTimeout(this.#watchdog);
      if (this.#pending > 0) this.#startWatchdog();
      this.#onResponse(message.bytes);
    } else if (message.kind === 'failed') {
      this.#lose(message.message);
      void this.terminate();
    }
  }

  #lose(reason: string): void {
    if (this.#stopped) return;
    this.#stopped = true;
    clearTimeout(this.#watchdog);
    this.#onLost(
      new DatabaseUnavailableError(
        `The embedded database stopped: ${reason}. It is started again with the next request.`,
      ),
    );
  }
}
