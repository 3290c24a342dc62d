/** A batch on a connection of the pool: sent once, again when its plans were stale, canceled when the client left. */
import type pg from 'pg';
import { withResultTimeout, withClient, wireConnection } from './connection.ts';
import { QueryError } from './errors.ts';
import { type BatchOptions, type BatchResult, type Statement } from './database.ts';
import { toDatabaseError, StalePlanError } from './errors.ts';
import { discardPlans, Pipeline, type PipelineOptions } from './pipeline.ts';

const nobodyWaits = (): QueryError =>
  new QueryError({ message: 'Nobody waits for the answer any more', code: '57014' });

export interface BatchHooks {
  /** Longest wait for the answer, in milliseconds. */
  readonly limit: number | undefined;
  /** Ends what runs on the connection. */
  readonly stop: (client: pg.PoolClient) => Promise<void>;
  /** Whether statements are prepared under names, or again at every use. */
  readonly named: boolean;
  /** Called when the prepared statements of a connection were not those that it had. */
  readonly onStalePlan: (error: StalePlanError) => void;
  /** Hears how many milliseconds the answer took, without the wait for the connection. */
  readonly onAnswer?: (took: number) => void;
}

export async function runBatch(
  pool: pg.Pool,
  statements: readonly Statement[],
  { planKey = '', onClientAbort }: BatchOptions,
  { limit, stop, named, onStalePlan, onAnswer }: BatchHooks,
): Promise<BatchResult[]> {
  return withClient(pool, async (client) => {
    let stopping: Promise<void> | undefined;
    let sent = false;
    let gone = false;
    const forget = onClientAbort?.(() => {
      gone = true;
      if (sent) stopping = stop(client);
    });
    const once = async (options: PipelineOptions): Promise<BatchResult[]> => {
      // It may have waited longer for the connection than anybody for the answer.
      if (gone) throw nobodyWaits();
      sent = true;
      const begun = performance.now();
      const results = await withResultTimeout(client, limit, send(client, statements, options));
      onAnswer?.(performance.now() - begun);
      return results;
    };
    try {
      return await once({ planKey, named });
    } catch (error) {
      if (!(error instanceof StalePlanError)) throw error;
      onStalePlan(error);
      // On the same connection: those of others may be as old. Without names, so that it depends on nothing kept.
      return await once({ planKey, named: false });
    } finally {
      forget?.();
      // Until the request to cancel has arrived, the next statement here could be the one it meets.
      await stopping;
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
        const failure = toDatabaseError(error, 'running');
        if (failure instanceof StalePlanError) discardPlans(wireConnection(client));
        reject(failure);
      }),
    );
  });
}
