/** A batch on a connection of the pool: sent once, again when its plans were stale, given up when nobody waits. */
import type pg from 'pg';
import { answered, withClient, wireOf } from './connection.ts';
import { DatabaseFailure, type BatchOptions, type BatchResult, type Statement } from './database.ts';
import { asDatabaseError, StalePlan } from './driver-errors.ts';
import { forgetPlans, Pipeline } from './pipeline.ts';

const nobodyWaits = (): DatabaseFailure =>
  new DatabaseFailure({ message: 'Nobody waits for the answer any more', code: '57014' });

export interface BatchRules {
  /** Longest wait for the answer, in milliseconds. */
  readonly limit: number | undefined;
  /** Ends what runs on the connection. */
  readonly stop: (client: pg.PoolClient) => Promise<void>;
  /** Hears how many milliseconds the answer took, without the wait for the connection. */
  readonly onAnswer?: (took: number) => void;
}

export async function runBatch(
  pool: pg.Pool,
  statements: readonly Statement[],
  { planKey = '', abandoned }: BatchOptions,
  { limit, stop, onAnswer }: BatchRules,
): Promise<BatchResult[]> {
  return withClient(pool, async (client) => {
    let stopping: Promise<void> | undefined;
    let sent = false;
    let gone = false;
    const forget = abandoned?.(() => {
      gone = true;
      if (sent) stopping = stop(client);
    });
    const once = async (): Promise<BatchResult[]> => {
      // It may have waited longer for the connection than anybody for the answer.
      if (gone) throw nobodyWaits();
      sent = true;
      const begun = performance.now();
      const results = await answered(client, limit, send(client, statements, planKey));
      onAnswer?.(performance.now() - begun);
      return results;
    };
    try {
      return await once();
    } catch (error) {
      // Nothing of the batch was kept, so running it again is safe; on another connection the plans may be as old.
      if (error instanceof StalePlan) return await once();
      throw error;
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
  planKey: string,
): Promise<BatchResult[]> {
  return new Promise((resolve, reject) => {
    client.query(
      new Pipeline(statements, planKey, (error, results) => {
        if (!error) return resolve(results);
        const failure = asDatabaseError(error, 'running');
        if (failure instanceof StalePlan) forgetPlans(wireOf(client));
        reject(failure);
      }),
    );
  });
}
