/**
 * One connection of the pool on which reads that proved quick run behind one another without waiting for each
 * other's answers, each in a transaction of its own (PostgreSQL manual, "Pipelining"). What arrives in one turn of
 * the event loop leaves in one write: to wake a server process costs more than a small read, and here it is awake.
 * Whoever shares must not wait for others, so few enter at a time, and the server stops each after `longest`. What
 * was stopped runs again alone, and so does whoever waited for `patience` or lost the connection: nothing that
 * others do here is felt as more than that.
 */
import type pg from 'pg';
import { wireOf } from './connection.ts';
import {
  DatabaseFailure,
  DatabaseUnavailable,
  type BatchOptions,
  type BatchResult,
  type Statement,
} from './database.ts';
import { type Pace, Paces } from './pace.ts';
import { asDatabaseError, StalePlan } from './driver-errors.ts';
import { forgetPlans, Pipeline } from './pipeline.ts';

/** Milliseconds after which the server stops a statement here. */
const longest = 25;
/** Milliseconds after which a caller waits here no longer; what is answered later is passed over. */
const patience = 50;
/** Milliseconds of expected work that may stand before a read, and of one run that nobody expected. */
const mostAhead = 5;
const lateAfter = 10;
/** Milliseconds between two tries to get a connection. */
const pause = 2000;
/**
 * Milliseconds without an answer or without a question, after which the way to the server may have been cut without
 * a word; and after which it may have become another, so that what was learnt of its length is too short for ever.
 */
const longestSilence = 30_000;
const longestLife = 600_000;
const stopped = '57014';

export interface QuickLane {
  /** @param alone runs the batch on a connection of its own, and tells how long the answer took */
  batch(
    statements: readonly Statement[],
    options: BatchOptions,
    alone: (onAnswer?: (took: number) => void) => Promise<BatchResult[]>,
  ): Promise<BatchResult[]>;
  /** Resolves when the connection is closed. */
  close(): Promise<void>;
}

export function createQuickLane(pool: pg.Pool): QuickLane {
  const paces = new Paces();
  let lane: Lane | null = null;
  let closed = false;
  let nextTry = 0;

  /** Opens in the background; until then everybody runs alone. */
  const open = (now: number): void => {
    if (now < nextTry) return;
    nextTry = Number.POSITIVE_INFINITY;
    const later = (): void => {
      lane = null;
      nextTry = performance.now() + pause;
    };
    pool.connect().then((client) => {
      if (closed) client.release(true);
      else lane = new Lane(client, later);
    }, later);
  };

  return {
    batch: async (statements, { planKey = '', hurried }, alone) => {
      if (!hurried) return alone();
      const now = performance.now();
      if (lane?.isWorn(now)) {
        void lane.end();
        nextTry = now;
      }
      if (!lane) open(now);
      const pace = paces.of(planKey, statements.at(-1)?.text ?? '');
      if (lane?.admits(pace, now)) {
        try {
          return await lane.send(hurried(longest), planKey, pace);
        } catch (error) {
          // Whatever happened to the connection, or to the tables, was not this caller's doing.
          const own = error instanceof DatabaseFailure && !(error instanceof StalePlan);
          if (own && error.code !== stopped) throw error;
          if (own) pace.wasStopped(performance.now());
        }
      }
      return alone((took) => pace.ranAlone(took - (lane?.distance ?? 0), performance.now()));
    },
    close: async () => {
      closed = true;
      await lane?.end();
    },
  };
}

class Lane {
  readonly #client: pg.PoolClient;
  #distance = Number.POSITIVE_INFINITY;
  readonly #onEnd: () => void;
  /** Those whose turn has not come, in the order in which their messages leave. */
  readonly #waiting: Pipeline[] = [];
  #unsent: Buffer[] = [];
  #ahead = 0;
  #running = 0;
  /** When the last answer came, or the first was asked for. */
  #lastTurn = performance.now();
  readonly #begun = this.#lastTurn;
  /** Somebody was stopped or left: nobody joins until all are answered. */
  #avoided = false;
  #ended = false;

  constructor(client: pg.PoolClient, onEnd: () => void) {
    this.#client = client;
    this.#onEnd = onEnd;
    client.on('drain', this.#nextTurn);
    client.once('error', this.#lost);
    client.once('end', this.#lost);
  }

  /** The quickest answer that there was to somebody who found the lane empty: mostly the way there and back. */
  get distance(): number {
    return Number.isFinite(this.#distance) ? this.#distance : 0;
  }

  admits(pace: Pace, now: number): boolean {
    if (this.#ended || !pace.isQuick) return false;
    if (this.#running === 0) return true;
    if (this.#avoided) return false;
    const late = now - this.#lastTurn - this.distance;
    return this.#ahead + pace.expected <= mostAhead && late <= lateAfter;
  }

  isWorn(now: number): boolean {
    if (now - this.#lastTurn > longestSilence) return true;
    return this.#running === 0 && now - this.#begun > longestLife;
  }

  /** @throws DatabaseFailure, and DatabaseUnavailable also when the answer does not come in time */
  send(statements: readonly Statement[], planKey: string, pace: Pace): Promise<BatchResult[]> {
    const { expected } = pace;
    const foundEmpty = this.#running === 0;
    return new Promise((resolve, reject) => {
      // An answer that lies there already, while this process was busy, is read before.
      const leave = (): void => {
        this.#avoided = true;
        reject(new DatabaseUnavailable('No answer in time'));
      };
      const timer = setTimeout(() => setImmediate(leave), patience);
      const pipeline = new Pipeline(statements, planKey, (error, results) => {
        clearTimeout(timer);
        this.#running -= 1;
        this.#ahead = this.#running === 0 ? 0 : this.#ahead - expected;
        this.#measure(pace, foundEmpty);
        if (!error) return resolve(results);
        const failure = asDatabaseError(error, 'running');
        if (failure instanceof StalePlan) forgetPlans(wireOf(this.#client));
        else if (failure instanceof DatabaseFailure && failure.code === stopped) this.#avoided = true;
        reject(failure);
      });
      const messages = pipeline.messages(wireOf(this.#client));
      if (foundEmpty) {
        this.#lastTurn = performance.now();
        this.#avoided = false;
      }
      this.#ahead += expected;
      this.#running += 1;
      this.#write(messages, foundEmpty);
      if (foundEmpty) this.#client.query(pipeline);
      else this.#waiting.push(pipeline);
    });
  }

  /** Nobody waits for company; while the server works anyway, what this turn of the loop brings leaves together. */
  #write(messages: Buffer, atOnce: boolean): void {
    if (atOnce) wireOf(this.#client).stream.write(messages);
    else if (this.#unsent.push(messages) === 1) setImmediate(this.#flush);
  }

  #measure(pace: Pace, foundEmpty: boolean): void {
    const now = performance.now();
    const took = now - this.#lastTurn;
    this.#lastTurn = now;
    if (foundEmpty) this.#distance = Math.min(this.#distance, took);
    pace.ranShared(foundEmpty ? took - this.distance : took, now);
  }

  readonly #flush = (): void => {
    const messages = this.#unsent;
    this.#unsent = [];
    if (!this.#ended) wireOf(this.#client).stream.write(Buffer.concat(messages));
  };

  /** The server is ready for the next, whose messages it has already. */
  readonly #nextTurn = (): void => {
    const next = this.#waiting.shift();
    if (next) this.#client.query(next);
  };

  readonly #lost = (error?: Error): void => this.#finish(error ?? new Error('Connection terminated'));

  /** The pool, which ends the connection, does not wait for it: whoever closes the database means all of it. */
  end(): Promise<void> {
    if (this.#ended) return Promise.resolve();
    const closed = new Promise<void>((resolve) => this.#client.once('end', () => resolve()));
    this.#finish(new Error('Connection terminated'));
    return closed;
  }

  #finish(error: Error): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#client.off('drain', this.#nextTurn);
    const wire = wireOf(this.#client);
    for (const pipeline of this.#waiting.splice(0)) pipeline.handleError(error, wire);
    this.#client.release(true);
    this.#onEnd();
  }
}
