/**
 * Connects `pg` to the worker thread of the embedded engine, as a duplex stream in place of a socket. If a response does
 * not arrive in time, the worker is terminated, which `pg` sees as a lost connection.
 */
import { Duplex } from 'node:stream';
import type { EmbeddedWorker } from './embedded-worker.ts';

const authenticationOk = [0x52, 0, 0, 0, 8, 0, 0, 0, 0];
const readyForQuery = [0x5a, 0, 0, 0, 5, 0x49];
const terminate = 0x58;

/** Message types to which the engine responds: Query, Sync, Flush. */
const respondedTypes = new Set([0x51, 0x53, 0x48]);

export class EmbeddedStream extends Duplex {
  readonly #getWorker: () => Promise<EmbeddedWorker>;
  #worker: EmbeddedWorker | undefined;
  #detach: () => void = () => {};
  #started = false;
  #pending: Buffer = Buffer.alloc(0);

  /** @param getWorker returns the running worker, or starts one */
  constructor(getWorker: () => Promise<EmbeddedWorker>) {
    super();
    this.#getWorker = getWorker;
  }

  /** Called by `pg`, as for a socket. */
  connect(): this {
    this.#attachWorker().catch((error: unknown) =>
      this.destroy(error instanceof Error ? error : new Error(String(error))),
    );
    return this;
  }

  async #attachWorker(): Promise<void> {
    const worker = await this.#getWorker();
    // The pool has closed this connection before the worker started. The next connection can use the worker.
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
      // The embedded engine has no authentication, so the stream responds to the startup message.
      this.#started = true;
      this.push(Buffer.from([...authenticationOk, ...readyForQuery]));
      return;
    }
    this.#pending = Buffer.concat([this.#pending, ...chunks]);
    const length = this.#completeLength();
    if (length === 0) return;
    const bytes = this.#pending.subarray(0, length);
    this.#pending = this.#pending.subarray(length);
    this.#worker?.send(bytes);
  }

  /** Returns the length up to the last complete message with a response. Later messages wait for their Sync. */
  #completeLength(): number {
    let offset = 0;
    let length = 0;
    while (offset + 5 <= this.#pending.length) {
      const type = this.#pending[offset] ?? 0;
      const next = offset + 1 + this.#pending.readUInt32BE(offset + 1);
      if (type === terminate || next > this.#pending.length) break;
      if (respondedTypes.has(type)) length = next;
      offset = next;
    }
    return length;
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
