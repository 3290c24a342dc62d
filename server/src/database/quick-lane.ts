/**
 * Reads that proved quick share one connection of the pool. Whoever shares must not wait for others, so the
 * connection takes few at a time, and the server stops each after `statementLimit`. What was stopped runs again
 * alone, and so does whoever got no answer in time or lost the connection: nothing that others do there is felt as
 * more than that.
 */
import type pg from 'pg';
import { DatabaseFailure, type BatchOptions, type BatchResult, type Statement } from './database.ts';
import { StalePlan } from './driver-errors.ts';
import { Paces } from './pace.ts';
import { SharedConnection, stopped } from './shared-connection.ts';

/** Milliseconds after which the server stops a statement on the shared connection. */
const statementLimit = 25;
/** Milliseconds between two tries to get a connection. */
const retryPause = 2000;

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
    batch: async (statements, { planKey = '', hurried }, alone) => {
      if (!hurried) return alone();
      const now = performance.now();
      if (shared?.isSpent(now)) {
        void shared.end();
        nextTry = now;
      }
      if (!shared) open(now);
      const pace = paces.of(planKey, statements.at(-1)?.text ?? '');
      if (shared?.admits(pace, now)) {
        try {
          return await shared.send(hurried(statementLimit), planKey, pace);
        } catch (error) {
          // Whatever happened to the connection, or to the tables, was not this caller's doing.
          const own = error instanceof DatabaseFailure && !(error instanceof StalePlan);
          if (own && error.code !== stopped) throw error;
          if (own) pace.wasStopped(performance.now());
        }
      }
      return alone((took) => pace.ranAlone(took - (shared?.roundTrip ?? 0), performance.now()));
    },
    close: async () => {
      closed = true;
      await shared?.end();
    },
  };
}
