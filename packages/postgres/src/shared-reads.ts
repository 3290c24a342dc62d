/** Runs fast reads on one shared connection. A read that fails there runs again on a dedicated connection. */
import type { ConnectionPool } from './connection-pool.ts';
import type { BatchOptions, BatchResult, Statement } from './database.ts';
import { canMeanReadOnly, QueryError, queryCanceled, StalePlanError } from './errors.ts';
import { QueryTimings } from './query-timing.ts';
import { SharedConnection } from './shared-connection.ts';

/** Statement timeout on the shared connection, in milliseconds. */
const statementTimeoutMs = 25;
/** Milliseconds between two attempts to open the shared connection. */
const reconnectDelayMs = 2000;

export interface SharedReads {
  /**
   * Runs a batch on the shared connection if it is eligible, otherwise on a dedicated one.
   *
   * @param runDedicated runs the batch on a dedicated connection; its callback receives the duration in milliseconds
   */
  batch(
    statements: readonly Statement[],
    options: BatchOptions,
    runDedicated: (onResult?: (durationMs: number) => void) => Promise<BatchResult[]>,
  ): Promise<BatchResult[]>;
  /** Resolves when the connection is closed. */
  close(): Promise<void>;
}

export function createSharedReads(connections: ConnectionPool): SharedReads {
  const timings = new QueryTimings();
  let shared: SharedConnection | null = null;
  let closed = false;
  let nextAttemptAt = 0;

  /** Connects in the background. Until then all reads use dedicated connections. */
  const open = (now: number): void => {
    if (now < nextAttemptAt) return;
    nextAttemptAt = Number.POSITIVE_INFINITY;
    const retryLater = (): void => {
      shared = null;
      nextAttemptAt = performance.now() + reconnectDelayMs;
    };
    connections.acquire().then((client) => {
      if (closed) client.release(true);
      else shared = new SharedConnection(client, () => connections.isStale(client), retryLater);
    }, retryLater);
  };

  return {
    batch: async (statements, { planKey = '', withStatementTimeout }, runDedicated) => {
      if (!withStatementTimeout) return runDedicated();
      const now = performance.now();
      if (shared?.isExpired(now)) {
        void shared.close();
        nextAttemptAt = now;
      }
      if (!shared) open(now);
      const timing = timings.get(planKey, statements.at(-1)?.text ?? '');
      if (shared?.canAccept(timing, now)) {
        try {
          return await shared.send(withStatementTimeout(statementTimeoutMs), planKey, timing);
        } catch (error) {
          // A lost connection or a stale plan is not an error of this read, so it runs again, and so does a read whose
          // error can mean that the server is a standby: a dedicated connection checks it.
          const isQueryError = error instanceof QueryError && !(error instanceof StalePlanError);
          const isCanceled = isQueryError && error.code === queryCanceled;
          if (isQueryError && !isCanceled && !canMeanReadOnly(error)) throw error;
          if (isCanceled) timing.recordCanceled(performance.now());
        }
      }
      return runDedicated((durationMs) =>
        timing.recordDedicated(durationMs - (shared?.roundTripMs ?? 0), performance.now()),
      );
    },
    close: async () => {
      closed = true;
      await shared?.close();
    },
  };
}
