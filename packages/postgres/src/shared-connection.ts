/**
 * A connection of the pool on which several callers' batches run behind one another, each in a transaction of its
 * own, without waiting for the answers of those before (PostgreSQL manual, "Pipelining"). What arrives in one turn
 * of the event loop leaves in one write: to wake a server process costs more than a small read, and here it is awake.
 */
import type pg from 'pg';
import { wireConnection } from './connection.ts';
import { QueryError, DatabaseUnavailableError } from './errors.ts';
import { type BatchResult, type Statement } from './database.ts';
import { toDatabaseError, StalePlanError } from './errors.ts';
import type { QueryTiming } from './query-timing.ts';
import { discardPlans, Pipeline } from './pipeline.ts';

/** SQLSTATE of a statement that the server stopped. */
export const queryCanceled = '57014';

/** Milliseconds after which a caller waits no longer; what is answered later is passed over. */
const waitLimit = 50;
/** Milliseconds of expected work before a read, beyond which it does not join. */
const queueLimit = 5;
/** Milliseconds without the answer that is due next, beyond which nobody joins: its work was not expected. */
const delayLimit = 10;
/** Milliseconds without a sign of life, beyond which the network may have cut the connection without a word. */
const idleLimit = 30_000;
/** Milliseconds after which the network may have become another, and the measured round trip is too short for ever. */
const ageLimit = 600_000;

export class SharedConnection {
  readonly #client: pg.PoolClient;
  readonly #onEnd: () => void;
  /** Batches that the driver does not know yet, in the order in which their messages leave. */
  readonly #queue: Pipeline[] = [];
  #unsent: Buffer[] = [];
  /** Batches without an answer, and the milliseconds of work that was expected of them. */
  #unanswered = 0;
  #expectedWork = 0;
  /** Of the answers to those who found nobody before them, the quickest: little of it is work. Milliseconds. */
  #shortestAnswer = Number.POSITIVE_INFINITY;
  /** When the last answer came; while the first one is awaited, when it was asked for. */
  #lastSign = performance.now();
  readonly #begun = this.#lastSign;
  /** Somebody was stopped or left, so nobody joins until all are answered. */
  #draining = false;
  #ended = false;

  /** @param onEnd called once when the connection can be used no longer */
  constructor(client: pg.PoolClient, onEnd: () => void) {
    this.#client = client;
    this.#onEnd = onEnd;
    client.on('drain', this.#submitNext);
    client.once('error', this.#lost);
    client.once('end', this.#lost);
  }

  /** To the server and back, in milliseconds, as far as it is known. */
  get roundTrip(): number {
    return Number.isFinite(this.#shortestAnswer) ? this.#shortestAnswer : 0;
  }

  /** Whether a batch of this pace would neither wait long for others, nor they for it. */
  canAccept(pace: QueryTiming, now: number): boolean {
    if (this.#ended || !pace.isFast) return false;
    if (this.#unanswered === 0) return true;
    if (this.#draining) return false;
    const delay = now - this.#lastSign - this.roundTrip;
    return this.#expectedWork + pace.expected <= queueLimit && delay <= delayLimit;
  }

  /** Whether another connection should take its place. */
  isExpired(now: number): boolean {
    if (now - this.#lastSign > idleLimit) return true;
    return this.#unanswered === 0 && now - this.#begun > ageLimit;
  }

  /** @throws QueryError, and DatabaseUnavailableError also when the answer does not come in time */
  send(statements: readonly Statement[], planKey: string, pace: QueryTiming): Promise<BatchResult[]> {
    const { expected } = pace;
    const first = this.#unanswered === 0;
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#draining = true;
        reject(new DatabaseUnavailableError('No answer in time'));
      };
      // An answer that lies there already, while this process was busy, is read before.
      const timer = setTimeout(() => setImmediate(leave), waitLimit);
      const pipeline = new Pipeline(statements, { planKey, named: true }, (error, results) => {
        clearTimeout(timer);
        this.#unanswered -= 1;
        this.#expectedWork = this.#unanswered === 0 ? 0 : this.#expectedWork - expected;
        this.#measure(pace, first);
        if (error) reject(this.#failure(error));
        else resolve(results);
      });
      const messages = pipeline.messages(wireConnection(this.#client));
      if (first) {
        this.#lastSign = performance.now();
        this.#draining = false;
      }
      this.#expectedWork += expected;
      this.#unanswered += 1;
      this.#write(messages, first);
      if (first) this.#client.query(pipeline);
      else this.#queue.push(pipeline);
    });
  }

  #failure(error: Error): unknown {
    const failure = toDatabaseError(error, 'running');
    if (failure instanceof StalePlanError) discardPlans(wireConnection(this.#client));
    else if (failure instanceof QueryError && failure.code === queryCanceled) this.#draining = true;
    return failure;
  }

  /** Nobody waits for company; while the server works anyway, what this turn of the loop brings leaves together. */
  #write(messages: Buffer, atOnce: boolean): void {
    if (atOnce) wireConnection(this.#client).stream.write(messages);
    else if (this.#unsent.push(messages) === 1) setImmediate(this.#flush);
  }

  readonly #flush = (): void => {
    const messages = this.#unsent;
    this.#unsent = [];
    if (!this.#ended) wireConnection(this.#client).stream.write(Buffer.concat(messages));
  };

  /** Behind others, the time since the answer before is the work alone. */
  #measure(pace: QueryTiming, first: boolean): void {
    const now = performance.now();
    const took = now - this.#lastSign;
    this.#lastSign = now;
    if (first) this.#shortestAnswer = Math.min(this.#shortestAnswer, took);
    pace.recordShared(first ? took - this.roundTrip : took, now);
  }

  /** The driver is ready for the next, whose messages the server has already. */
  readonly #submitNext = (): void => {
    const next = this.#queue.shift();
    if (next) this.#client.query(next);
  };

  readonly #lost = (error?: Error): void => this.#finish(error ?? new Error('Connection terminated'));

  /** Resolves when it is closed. The pool does not wait for it: whoever closes the database means all of it. */
  end(): Promise<void> {
    if (this.#ended) return Promise.resolve();
    const closed = new Promise<void>((resolve) => this.#client.once('end', () => resolve()));
    this.#finish(new Error('Connection terminated'));
    return closed;
  }

  #finish(error: Error): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#client.off('drain', this.#submitNext);
    const wire = wireConnection(this.#client);
    for (const pipeline of this.#queue.splice(0)) pipeline.handleError(error, wire);
    this.#client.release(true);
    this.#onEnd();
  }
}
