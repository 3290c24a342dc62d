/**
 * A duplex stream that looks to `pg` like a socket and ends in the worker thread with the embedded
 * engine. A watchdog ends the worker when an answer does not come: the engine knows no
 * `statement_timeout` and spins for ever on a full disk. For `pg` that is a lost connection, so the
 * next request opens a new worker, which recovers the directory as after a crash.
 */
import { Duplex } from 'node:stream';
import type { EmbeddedWorker } from './embedded-worker.ts';

const authenticationOk = [0x52, 0, 0, 0, 8, 0, 0, 0, 0];
const readyForQuery = [0x5a, 0, 0, 0, 5, 0x49];
const terminate = 0x58;

/** Message types after which the engine answers: Query, Sync, Flush. */
const answered = new Set([0x51, 0x53, 0x48]);

export class EmbeddedStream extends Duplex {
  readonly #open: () => Promise<EmbeddedWorker>;
  #worker: EmbeddedWorker | undefined;
  #detach: () => void = () => {};
  #started = false;
  #pending: Buffer = Buffer.alloc(0);

  /** @param open starts a worker, or gives the running one. */
  constructor(open: () => Promise<EmbeddedWorker>) {
    super();
    this.#open = open;
  }

  /** Called by `pg` in place of a socket's connect. */
  connect(): this {
    this.#begin().catch((error: unknown) =>
      this.destroy(error instanceof Error ? error : new Error(String(error))),
    );
    return this;
  }

  async #begin(): Promise<void> {
    const worker = await this.#open();
    // Whoever asked waits no longer; the worker stays fresh for the next one.
    if (this.destroyed) return;
    this.#worker = worker;
    this.#detach = this.#worker.attach(
      (bytes) => this.push(bytes),
      (error) => this.destroy(error),
    );
    this.emit('connect');
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#accept([chunk]);
    done();
  }

  override _writev(chunks: { chunk: Buffer }[], done: (error?: Error | null) => void): void {
    this.#accept(chunks.map(({ chunk }) => chunk));
    done();
  }

  #accept(chunks: Buffer[]): void {
    if (!this.#started) {
      // The engine has neither users nor passwords of its own: greet in its place.
      this.#started = true;
      this.push(Buffer.from([...authenticationOk, ...readyForQuery]));
      return;
    }
    this.#pending = Buffer.concat([this.#pending, ...chunks]);
    const end = this.#lastAnsweredEnd();
    if (end === 0) return;
    const bytes = this.#pending.subarray(0, end);
    this.#pending = this.#pending.subarray(end);
    this.#worker?.send(bytes);
  }

  /** Where the last complete message that is answered ends; what follows waits for its Sync. */
  #lastAnsweredEnd(): number {
    let offset = 0;
    let end = 0;
    while (offset + 5 <= this.#pending.length) {
      const type = this.#pending[offset] ?? 0;
      const next = offset + 1 + this.#pending.readUInt32BE(offset + 1);
      if (type === terminate || next > this.#pending.length) break;
      if (answered.has(type)) end = next;
      offset = next;
    }
    return end;
  }

  override _final(done: (error?: Error | null) => void): void {
    this.push(null);
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#detach();
    done(error);
  }
}
