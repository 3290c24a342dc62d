/** Connects `pg` to the worker thread of the embedded engine, as a duplex stream in place of a socket. */
import { Duplex } from 'node:stream';
import type { EmbeddedWorker } from './embedded-worker.ts';
import { clientMessages, serverMessages } from './wire-messages.ts';

const authenticationOk = [serverMessages.authentication, 0, 0, 0, 8, 0, 0, 0, 0];
/** With the status `I`: outside a transaction. */
const readyForQuery = [serverMessages.readyForQuery, 0, 0, 0, 5, 0x49];

/** Types of the messages to which the engine responds. */
const respondedTypes: ReadonlySet<number> = new Set([
  clientMessages.query,
  clientMessages.sync,
  clientMessages.flush,
]);

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

  /** `pg` calls this and the next three methods on its socket. They have no effect here. */
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
    if (this.#started) this.#send(chunks);
    else this.#respondToStartup();
  }

  /** The embedded engine has no authentication, so it does not get the startup message. */
  #respondToStartup(): void {
    this.#started = true;
    this.push(Buffer.from([...authenticationOk, ...readyForQuery]));
  }

  #send(chunks: Buffer[]): void {
    this.#pending = Buffer.concat([this.#pending, ...chunks]);
    const length = this.#flushableLength();
    if (length === 0) return;
    const bytes = this.#pending.subarray(0, length);
    this.#pending = this.#pending.subarray(length);
    this.#worker?.send(bytes);
  }

  /** Returns the length up to the last complete message with a response. Later messages wait for their Sync. */
  #flushableLength(): number {
    let offset = 0;
    let length = 0;
    while (offset + 5 <= this.#pending.length) {
      const type = this.#pending[offset] ?? 0;
      const next = offset + 1 + this.#pending.readUInt32BE(offset + 1);
      if (type === clientMessages.terminate || next > this.#pending.length) break;
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
