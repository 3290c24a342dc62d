/** One connection of the pool: taken, bounded in time, cancelled, given back. */
import pg from 'pg';
import { DatabaseUnavailable } from './database.ts';
import { asDatabaseError } from './driver-errors.ts';
import type { WireConnection } from './pipeline.ts';

export const wireOf = (client: pg.PoolClient): WireConnection =>
  (client as unknown as { connection: WireConnection }).connection;

export async function withClient<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  let client: pg.PoolClient;
  try {
    client = await pool.connect();
  } catch (error) {
    throw asDatabaseError(error, 'connecting');
  }
  let broken = false;
  try {
    return await work(client);
  } catch (error) {
    const translated = asDatabaseError(error, 'running');
    broken = translated instanceof DatabaseUnavailable;
    throw translated;
  } finally {
    client.release(broken);
  }
}

/** A network may lose a connection without a word: cuts one whose answer does not come. */
export async function answered<T>(
  client: pg.PoolClient,
  limit: number | undefined,
  answer: Promise<T>,
): Promise<T> {
  if (limit === undefined || limit === Number.POSITIVE_INFINITY) return answer;
  const cut = (): unknown =>
    wireOf(client).stream.destroy(new Error(`Connection terminated: no answer within ${limit} ms`));
  const timer = setTimeout(cut, limit);
  try {
    return await answer;
  } finally {
    clearTimeout(timer);
  }
}

/** Milliseconds for each step of a cancellation. */
const cancelLimit = 2000;

/** Ends what runs on a connection, over another one; where that fails, the statement's time limit stays. */
export async function cancel(
  client: pg.PoolClient,
  settings: pg.ClientConfig,
  onConnectionError: (error: Error) => void,
): Promise<void> {
  const { processID } = client as unknown as { readonly processID: number | null };
  // Where nobody answers, the connection that waits for this would be lost to everybody else.
  const other = new pg.Client({
    ...settings,
    connectionTimeoutMillis: cancelLimit,
    query_timeout: cancelLimit,
  });
  other.on('error', onConnectionError);
  try {
    await other.connect();
    await other.query('select pg_cancel_backend($1)', [processID]);
  } catch (error) {
    onConnectionError(error instanceof Error ? error : new Error(String(error)));
  } finally {
    await other.end().catch(onConnectionError);
  }
}
