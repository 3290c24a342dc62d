/** The wire connection of a client, and the timeouts that terminate it. */
import type pg from 'pg';
import { rethrowTranslated } from './errors.ts';

/** The used part of the `pg` connection, which its published types omit. */
export interface WireConnection extends NodeJS.EventEmitter {
  readonly stream: { write(bytes: Buffer): unknown; destroy(error: Error): unknown };
}

export const wireConnection = (client: pg.ClientBase): WireConnection =>
  (client as unknown as { connection: WireConnection }).connection;

/** There was no result within the timeout of `withResultTimeout`. */
export class ResultTimeoutError extends Error {}

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
