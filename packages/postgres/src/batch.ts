/** Runs a batch on a pooled connection: retries it once after a stale plan and cancels it if the client disconnects. */
import type pg from 'pg';
import { type WithConnection } from './connection.ts';
import { withResultTimeout, wireConnection } from './wire-connection.ts';
import type { BatchOptions, BatchResult, Statement } from './database.ts';
import { QueryError, queryCanceled, StalePlanError, toDatabaseError } from './errors.ts';
import { discardPlans, Pipeline, type PipelineOptions } from './pipeline.ts';

const clientDisconnected = (): QueryError =>
  new QueryError({ message: 'The client disconnected', code: queryCanceled });

export interface BatchHooks {
  /** Maximum wait for the results, in milliseconds. */
  readonly resultTimeoutMs: number | undefined;
  /** Cancels the statement that runs on the connection. */
  readonly cancel: (client: pg.PoolClient) => Promise<void>;
  /** True to use named prepared statements, false to prepare each statement on every use. */
  readonly named: boolean;
  /** Called when the connection does not have the expected prepared statements. */
  readonly onStalePlan: (error: StalePlanError) => void;
  /** Called with the duration in milliseconds, without the wait for the connection. */
  readonly onResult?: (durationMs: number) => void;
}

export async function runBatch(
  withConnection: WithConnection,
  statements: readonly Statement[],
  { planKey = '', onClientAbort }: BatchOptions,
  { resultTimeoutMs, cancel, named, onStalePlan, onResult }: BatchHooks,
): Promise<BatchResult[]> {
  return withConnection(async (client) => {
    let canceling: Promise<void> | undefined;
    let sent = false;
    let aborted = false;
    const removeListener = onClientAbort?.(() => {
      aborted = true;
      if (sent) canceling = cancel(client);
    });
    const attempt = async (options: PipelineOptions): Promise<BatchResult[]> => {
      // The client may have disconnected while the batch waited for a connection.
      if (aborted) throw clientDisconnected();
      sent = true;
      const startedAt = performance.now();
      const results = await withResultTimeout(client, resultTimeoutMs, send(client, statements, options));
      onResult?.(performance.now() - startedAt);
      return results;
    };
    try {
      return await attempt({ planKey, named });
    } catch (error) {
      if (!(error instanceof StalePlanError)) throw error;
      onStalePlan(error);
      // On the same connection, because the plans of others can be stale too. Unnamed, so no stored plan is used.
      return await attempt({ planKey, named: false });
    } finally {
      removeListener?.();
      // Until the CancelRequest has arrived, it could cancel the next statement on this connection.
      await canceling;
    }
  });
}

function send(
  client: pg.PoolClient,
  statements: readonly Statement[],
  options: PipelineOptions,
): Promise<BatchResult[]> {
  return new Promise((resolve, reject) => {
    client.query(
      new Pipeline(statements, options, (error, results) => {
        if (!error) return resolve(results);
        const translated = toDatabaseError(error, 'running');
        if (translated instanceof StalePlanError) discardPlans(wireConnection(client));
        reject(translated);
      }),
    );
  });
}
