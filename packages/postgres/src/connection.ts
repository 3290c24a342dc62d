import type pg from 'pg';
import type { ConnectionPool } from './connection-pool.ts';
import { DatabaseUnavailableError } from './errors.ts';
import { ResultTimeoutError } from './wire-connection.ts';

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
    // A connection to a server that rejects writes is replaced by `WriteWatch`.
    broken = error instanceof DatabaseUnavailableError && error.reason !== 'read-only';
    // A statement ends with its own timeout before. So the server does not answer, on the other connections either.
    if (broken && error instanceof Error && error.cause instanceof ResultTimeoutError)
      connections.replaceAll();
    throw error;
  } finally {
    connections.release(client, broken);
  }
}
