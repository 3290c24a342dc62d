/**
 * Reads that proved quick share one connection of the pool. Whoever shares must not wait for others, so the
 * connection takes few at a time, and the server stops each after `statementLimit`. What was stopped runs again
 * alone, and so does whoever got no answer in time or lost the connection: nothing that others do there is felt as
 * more than that.
 */
import type pg from 'pg';
import { QueryError } from './errors.ts';
import { type BatchOptions, type BatchResult, type Statement } from './database.ts';
import { StalePlanError } from './errors.ts';
import { QueryTimings } from './query-timing.ts';
import { SharedConnection, queryCanceled } from './shared-connection.ts';

/** Milliseconds after which the server stops a statement on the shared connection. */
const statementLimit = 25;
/** Milliseconds between two tries to get a connection. */
const retryPause = 2000;

export interface SharedReads {
  /** @param alone runs the batch on a connection of its own, and tells how long the answer took */
  batch(
    statements: readonly Statement[],
    options: BatchOptions,
    alone: (onAnswer?: (took: number) => void) => Promise<BatchResult[]>,
  ): Promise<BatchResult[]>;
  /** Resolves when the connection is closed. */
  close(): Promise<void>;
}

export function createSharedReads(pool: pg.Pool): SharedReads {
  const paces = new QueryTimings();
  let shared: SharedConnection | null = null;
  let closed = false;
  let nextTry = 0;

  /** Opens in the background; until then everybody runs alone. */
  const open = (now: number): void => {
    if (now < nextTry) return;
    nextTry = Number.POSITIVE_INFINITY;
    const tryLater = (): void => {
      shared = null;
      nextTry = performance.now() + retryPause;
    };
    pool.connect().then((client) => {
      if (closed) client.release(true);
      else shared = new SharedConnection(client, tryLater);
    }, tryLater);
  };

  return {
    batch: async (statements, { planKey = '', withStatementTimeout }, alone) => {
      if (!withStatementTimeout) return alone();
      const now = performance.now();
      if (shared?.isExpired(now)) {
        void shared.end();
        nextTry = now;
      }
      if (!shared) open(now);
      const pace = paces.of(planKey, statements.at(-1)?.text ?? '');
      if (shared?.canAccept(pace, now)) {
        try {
          return await shared.send(withStatementTimeout(statementLimit), planKey, pace);
        } catch (error) {
          // Whatever happened to the connection, or to the tables, was not this caller's doing.
          const own = error instanceof QueryError && !(error instanceof StalePlanError);
          if (own && error.code !== queryCanceled) throw error;
          if (own) pace.recordCanceled(performance.now());
        }
      }
      return alone((took) => pace.recordDedicated(took - (shared?.roundTrip ?? 0), performance.now()));
    },
    close: async () => {
      closed = true;
      await shared?.end();
    },
  };
}
