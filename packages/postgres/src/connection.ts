/** Uses one connection of the pool: acquires and releases it, and enforces timeouts. */
import type pg from 'pg';
import type { ConnectionPool } from './connection-pool.ts';
import { DatabaseUnavailableError, rethrowTranslated } from './errors.ts';
import type { WireConnection } from './pipeline.ts';

export const wireConnection = (client: pg.ClientBase): WireConnection =>
  (client as unknown as { connection: WireConnection }).connection;

/** Reserves a connection, passes it to `work` and releases it. */
export type WithConnection = <T>(work: (client: pg.PoolClient) => Promise<T>) => Promise<T>;

/** @throws DatabaseUnavailableError, and what `work` throws */
export async function withClient<T>(
  connections: ConnectionPool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await connections.acquire();
  connections.beginUse(client);
  let broken = false;
  try {
    return await work(client);
  } catch (error) {
    // Driver errors are already translated by `withResultTimeout`. Other errors of `work` do not affect the connection.
    // A connection to a server that refuses writes is replaced by `WriteWatch`.
    broken = error instanceof DatabaseUnavailableError && error.reason !== 'read-only';
    // A statement ends with its own timeout before. So the server does not answer, on the other connections either.
    if (broken && error instanceof Error && error.cause instanceof ResultTimeoutError)
      connections.replaceAll();
    throw error;
  } finally {
    connections.release(client, broken);
  }
}

/** There was no result within the timeout of `withResultTimeout`. */
class ResultTimeoutError extends Error {}

/**
 * Waits for a result of the driver and terminates the connection after the timeout, because a network can lose a
 * connection without an error.
 *
 * @param timeoutMs milliseconds; undefined or infinite waits without a limit
 * @throws QueryError
 * @throws DatabaseUnavailableError
 */
export async function withResultTimeout<T>(
  client: pg.ClientBase,
  timeoutMs: number | undefined,
  result: Promise<T>,
): Promise<T> {
  const translated = result.catch(rethrowTranslated);
  if (timeoutMs === undefined || timeoutMs === Number.POSITIVE_INFINITY) return translated;
  const terminate = (): unknown =>
    wireConnection(client).stream.destroy(
      new ResultTimeoutError(`Connection terminated: no result within ${timeoutMs} ms`),
    );
  const timer = setTimeout(terminate, timeoutMs);
  try {
    return await translated;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Waits until connections are closed and terminates the open ones after the timeout, because a lost network does not
 * report the end of a connection.
 *
 * @param timeoutMs milliseconds; undefined waits without a limit
 * @param openClients returns the connections that are still open
 */
export async function closeWithin(
  timeoutMs: number | undefined,
  openClients: () => Iterable<pg.ClientBase>,
  closed: Promise<unknown>,
): Promise<void> {
  const terminate = (): void => {
    for (const client of openClients())
      wireConnection(client).stream.destroy(
        new Error(`Connection terminated: not closed within ${timeoutMs} ms`),
      );
  };
  const timer = timeoutMs === undefined ? undefined : setTimeout(terminate, timeoutMs);
  try {
    await closed;
  } finally {
    clearTimeout(timer);
  }
}
