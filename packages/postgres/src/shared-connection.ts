/**
 * Pipelines batches of several requests on one connection, each in its own transaction (PostgreSQL manual, "Pipeline
 * Mode"). Batches of one turn of the event loop are sent in one write: waking a server process costs more than a small
 * read, and a process with queued work is awake.
 */
import type pg from 'pg';
import { wireConnection } from './wire-connection.ts';
import type { BatchResult, Statement } from './database.ts';
import {
  DatabaseUnavailableError,
  QueryError,
  queryCanceled,
  StalePlanError,
  toDatabaseError,
} from './errors.ts';
import { discardPlans, Pipeline } from './pipeline.ts';
import type { QueryTiming } from './query-timing.ts';

/** Maximum wait for a result, in milliseconds. Later results are discarded. */
const resultTimeoutMs = 50;
/** Maximum expected work of the pending batches, in milliseconds; above it no batch is accepted. */
const maxExpectedWorkMs = 5;
/** Maximum delay of the next result, in milliseconds. A longer delay means that the estimates are wrong. */
const maxDelayMs = 10;
/** Maximum milliseconds without a result. After it the network may have dropped the connection without an error. */
const maxIdleMs = 30_000;

export class SharedConnection {
  readonly #client: pg.PoolClient;
  readonly #isStale: () => boolean;
  readonly #onClose: () => void;
  /** Batches that are not yet submitted to the driver, in the order of their messages. */
  readonly #queue: Pipeline[] = [];
  #unsent: Buffer[] = [];
  /** Number of batches without a result, and their expected work in milliseconds. */
  #pending = 0;
  #expectedWorkMs = 0;
  /** Shortest duration of a batch that found the connection idle, in milliseconds; mostly network delay. */
  #shortestResultMs = Number.POSITIVE_INFINITY;
  /** Time of the latest result, or the send time of the first batch on an idle connection. */
  #lastActivityAt = performance.now();
  /** True after a canceled or timed-out batch: no batch is accepted until all results have arrived. */
  #draining = false;
  #closed = false;

  /**
   * @param isStale returns true if the connection must not be used again
   * @param onClose called once, when the connection can no longer be used
   */
  constructor(client: pg.PoolClient, isStale: () => boolean, onClose: () => void) {
    this.#client = client;
    this.#isStale = isStale;
    this.#onClose = onClose;
    client.on('drain', this.#submitNext);
    client.once('error', this.#onConnectionLost);
    client.once('end', this.#onConnectionLost);
  }

  /** Estimated network round trip in milliseconds, or 0 if it is unknown. */
  get roundTripMs(): number {
    return Number.isFinite(this.#shortestResultMs) ? this.#shortestResultMs : 0;
  }

  /** Returns true if a batch with this timing would neither wait long nor delay others. */
  canAccept(timing: QueryTiming, now: number): boolean {
    if (this.#closed || !timing.isFast) return false;
    if (this.#pending === 0) return true;
    if (this.#draining) return false;
    const delayMs = now - this.#lastActivityAt - this.roundTripMs;
    return this.#expectedWorkMs + timing.expectedMs <= maxExpectedWorkMs && delayMs <= maxDelayMs;
  }

  /** Returns true if the connection should be replaced. Its pending batches then run on dedicated connections. */
  isExpired(now: number): boolean {
    return now - this.#lastActivityAt > maxIdleMs || this.#isStale();
  }

  /**
   * Sends a batch and waits for its results.
   *
   * @throws QueryError
   * @throws DatabaseUnavailableError also if the results do not arrive in time
   */
  send(statements: readonly Statement[], planKey: string, timing: QueryTiming): Promise<BatchResult[]> {
    const { expectedMs } = timing;
    const wasIdle = this.#pending === 0;
    return new Promise((resolve, reject) => {
      const onTimeout = (): void => {
        this.#draining = true;
        reject(new DatabaseUnavailableError('No result in time'));
      };
      // The immediate lets a result that arrived while this process was busy be read first.
      const timer = setTimeout(() => setImmediate(onTimeout), resultTimeoutMs);
      const pipeline = new Pipeline(statements, { planKey, named: true }, (error, results) => {
        clearTimeout(timer);
        this.#pending -= 1;
        this.#expectedWorkMs = this.#pending === 0 ? 0 : this.#expectedWorkMs - expectedMs;
        this.#recordDuration(timing, wasIdle);
        if (error) reject(this.#translateError(error));
        else resolve(results);
      });
      const messages = pipeline.messages(wireConnection(this.#client));
      if (wasIdle) {
        this.#lastActivityAt = performance.now();
        this.#draining = false;
      }
      this.#expectedWorkMs += expectedMs;
      this.#pending += 1;
      this.#write(messages, wasIdle);
      if (wasIdle) this.#client.query(pipeline);
      else this.#queue.push(pipeline);
    });
  }

  #translateError(error: Error): unknown {
    const translated = toDatabaseError(error, 'running');
    if (translated instanceof StalePlanError) discardPlans(wireConnection(this.#client));
    else if (translated instanceof QueryError && translated.code === queryCanceled) this.#draining = true;
    return translated;
  }

  /** Writes immediately to an idle server. While the server works, collects the messages of this event loop turn. */
  #write(messages: Buffer, immediately: boolean): void {
    if (immediately) wireConnection(this.#client).stream.write(messages);
    else if (this.#unsent.push(messages) === 1) setImmediate(this.#flush);
  }

  readonly #flush = (): void => {
    const messages = this.#unsent;
    this.#unsent = [];
    if (!this.#closed) wireConnection(this.#client).stream.write(Buffer.concat(messages));
  };

  /** Behind another batch, the time since the previous result contains no network delay. */
  #recordDuration(timing: QueryTiming, wasIdle: boolean): void {
    const now = performance.now();
    const durationMs = now - this.#lastActivityAt;
    this.#lastActivityAt = now;
    if (wasIdle) this.#shortestResultMs = Math.min(this.#shortestResultMs, durationMs);
    timing.recordShared(wasIdle ? durationMs - this.roundTripMs : durationMs, now);
  }

  /** Submits the next batch to the driver. Its messages are already sent. */
  readonly #submitNext = (): void => {
    const next = this.#queue.shift();
    if (next) this.#client.query(next);
  };

  readonly #onConnectionLost = (error?: Error): void =>
    this.#close(error ?? new Error('Connection terminated'));

  /** Resolves when the connection is closed. `pool.end()` does not wait for it. */
  close(): Promise<void> {
    if (this.#closed) return Promise.resolve();
    const closed = new Promise<void>((resolve) => this.#client.once('end', () => resolve()));
    this.#close(new Error('Connection terminated'));
    return closed;
  }

  #close(error: Error): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#client.off('drain', this.#submitNext);
    const wire = wireConnection(this.#client);
    for (const pipeline of this.#queue.splice(0)) pipeline.handleError(error, wire);
    this.#client.release(true);
    this.#onClose();
  }
}
