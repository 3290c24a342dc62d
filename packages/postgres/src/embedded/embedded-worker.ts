/** The worker thread with the embedded engine, seen from the service's thread. */
import { Worker } from 'node:worker_threads';
import { DatabaseUnavailableError } from '../errors.ts';
import { engineModule } from './engine-module.ts';
import type { WorkerInput, WorkerMessage, WorkerRequest } from './worker-thread.ts';

export interface WorkerLimits {
  /** Longest time for one answer, in milliseconds. */
  answer: number;
}

export interface WorkerOptions {
  /** The bundle of `worker-thread.ts`. */
  readonly workerFile: string;
  readonly directory: string;
  readonly limits: WorkerLimits;
  /** `copy` for an engine that only reads a copy of the directory. */
  readonly purpose?: WorkerInput['purpose'];
}

/** Milliseconds; a busy small machine was seen to need half a minute. */
const longestReopening = 120_000;

export class EmbeddedWorker {
  readonly #worker: Worker;
  readonly #limits: WorkerLimits;
  #onAnswer: (bytes: Uint8Array) => void = () => {};
  #onLost: (error: Error) => void = () => {};
  #timer: NodeJS.Timeout | undefined;
  #waiting = 0;
  #ended = false;
  #attached = false;
  #closing = false;
  /** fsync calls since the start. */
  syncs = 0;
  /** Requests sent to the engine since the start. */
  requests = 0;

  private constructor(worker: Worker, limits: WorkerLimits) {
    this.#worker = worker;
    this.#limits = limits;
    worker.on('message', (message: WorkerMessage) => this.#receive(message));
    worker.on('error', (error) => this.#lose(error.message));
    worker.on('exit', () => this.#lose('its thread ended'));
  }

  /** Opens the data directory in a new thread; resolves when Postgres accepts statements. */
  static async start({
    workerFile,
    directory,
    limits,
    purpose = 'service',
  }: WorkerOptions): Promise<EmbeddedWorker> {
    const input: WorkerInput = { directory, purpose, module: await engineModule() };
    const worker = new Worker(workerFile, { workerData: input });
    const failed = (why: string): DatabaseUnavailableError =>
      new DatabaseUnavailableError(`The embedded database does not open: ${why}.`);
    let timer: NodeJS.Timeout | undefined;
    try {
      await new Promise<void>((resolve, reject) => {
        worker.once('message', (message: WorkerMessage) => {
          if (message.kind === 'ready') resolve();
          else reject(failed(message.kind === 'failed' ? message.message : 'no start'));
        });
        worker.once('error', (error) => reject(failed(error.message)));
        worker.once('exit', () => reject(failed('its thread ended')));
        // The first one may make the directory; a later one that takes so long spins on a full disk.
        if (Number.isFinite(limits.answer))
          timer = setTimeout(() => reject(failed('it took too long')), longestReopening);
      });
    } catch (error) {
      // It must be gone before the next one opens the directory.
      await worker.terminate();
      throw error;
    } finally {
      clearTimeout(timer);
    }
    worker.removeAllListeners('error');
    worker.removeAllListeners('exit');
    return new EmbeddedWorker(worker, limits);
  }

  /** True until a connection uses it. */
  get fresh(): boolean {
    return !this.#attached && !this.#ended;
  }

  /** @returns ends the connection, and with it the worker: nothing of a session may outlive it. */
  attach(onAnswer: (bytes: Uint8Array) => void, onLost: (error: Error) => void): () => void {
    this.#attached = true;
    this.#onAnswer = onAnswer;
    this.#onLost = onLost;
    return () => {
      this.#onAnswer = () => {};
      this.#onLost = () => {};
      if (!this.#closing) void this.terminate();
    };
  }

  /** The connection ends because the database is closed: that is no loss, and the engine may write its checkpoint. */
  expectClose(): void {
    this.#closing = true;
  }

  send(bytes: Uint8Array): void {
    this.#post(new Uint8Array(bytes));
  }

  #post(request: WorkerRequest): void {
    this.#waiting += 1;
    this.requests += 1;
    this.#watch();
    this.#worker.postMessage(request);
  }

  /** Ends the thread and its connection; committed rows are safe, the directory recovers at the next start. */
  async terminate(): Promise<void> {
    if (this.#closing) this.#onLost = () => {};
    this.#lose('it was closed');
    await this.#worker.terminate();
  }

  /** Lets Postgres write a checkpoint and end. Resolves when nothing of it can touch the directory any more. */
  async close(): Promise<void> {
    if (this.#ended) return this.terminate();
    this.#ended = true;
    clearTimeout(this.#timer);
    const closed = new Promise<void>((resolve) => {
      this.#worker.on('message', (message: WorkerMessage) => {
        if (message.kind === 'closed' || message.kind === 'failed') resolve();
      });
      setTimeout(resolve, 5_000).unref();
    });
    this.#worker.postMessage('close' satisfies WorkerRequest);
    await closed;
    await this.#worker.terminate();
  }

  #watch(): void {
    clearTimeout(this.#timer);
    if (!Number.isFinite(this.#limits.answer)) return;
    this.#timer = setTimeout(() => {
      this.#lose(`no answer within ${this.#limits.answer} ms`);
      void this.terminate();
    }, this.#limits.answer);
  }

  #receive(message: WorkerMessage): void {
    if (message.kind === 'answer') {
      this.#waiting -= 1;
      this.syncs = message.syncs;
      clearTimeout(this.#timer);
      if (this.#waiting > 0) this.#watch();
      this.#onAnswer(message.bytes);
    } else if (message.kind === 'failed') {
      this.#lose(message.message);
      void this.terminate();
    }
  }

  #lose(why: string): void {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#timer);
    this.#onLost(new DatabaseUnavailableError(`The embedded database was restarted: ${why}.`));
  }
}
