/** One connection of the pool: taken, bounded in time, cancelled, given back. */
import pg from 'pg';
import { DatabaseUnavailableError } from './errors.ts';
import { toDatabaseError, rethrowTranslated } from './errors.ts';
import type { WireConnection } from './pipeline.ts';

export const wireConnection = (client: pg.ClientBase): WireConnection =>
  (client as unknown as { connection: WireConnection }).connection;

export async function withClient<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  let client: pg.PoolClient;
  try {
    client = await pool.connect();
  } catch (error) {
    throw toDatabaseError(error, 'connecting');
  }
  let broken = false;
  try {
    return await work(client);
  } catch (error) {
    // What the driver threw was translated by `answered`; the caller's own errors say nothing about the connection.
    broken = error instanceof DatabaseUnavailableError;
    throw error;
  } finally {
    client.release(broken);
  }
}

/**
 * One answer of the driver. A network may lose a connection without a word: cuts one whose answer does not come.
 * @throws QueryError, DatabaseUnavailableError
 */
export async function withResultTimeout<T>(
  client: pg.PoolClient,
  limit: number | undefined,
  answer: Promise<T>,
): Promise<T> {
  const translated = answer.catch(rethrowTranslated);
  if (limit === undefined || limit === Number.POSITIVE_INFINITY) return translated;
  const cut = (): unknown =>
    wireConnection(client).stream.destroy(new Error(`Connection terminated: no answer within ${limit} ms`));
  const timer = setTimeout(cut, limit);
  try {
    return await translated;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Waits for the end of connections. A network that fell silent never tells it: cuts those that are left by then.
 * @param limit milliseconds; undefined waits for ever
 */
export async function closeWithin(
  limit: number | undefined,
  left: () => Iterable<pg.ClientBase>,
  end: Promise<unknown>,
): Promise<void> {
  const cut = (): void => {
    for (const client of left())
      wireConnection(client).stream.destroy(new Error(`Connection terminated: not ended within ${limit} ms`));
  };
  const timer = limit === undefined ? undefined : setTimeout(cut, limit);
  try {
    await end;
  } finally {
    clearTimeout(timer);
  }
}

/** Milliseconds until a server that does not end the connection of a cancellation is left alone. */
const cancelLimit = 2000;

/** What the server handed out when the connection began (protocol: BackendKeyData), and the other end of it. */
interface Cancellable {
  readonly processID: number | null;
  readonly secretKey: number | null;
}

/** The process id that the server, or a pooler, handed out; null where it handed out none. */
export const processIdOf = (client: pg.ClientBase): number | null =>
  (client as unknown as Cancellable).processID;

interface CancelConnection {
  startup(): void;
  cancel(processID: number, secretKey: number): void;
}

/**
 * Ends what runs on a connection by the protocol's own CancelRequest: only the pair of process id and secret
 * meets a statement, so a pooler's made-up process id never ends somebody else's. Where it fails, or a pooler
 * does not pass it on, the statement's time limit stays.
 */
export async function cancelStatement(
  client: pg.PoolClient,
  settings: pg.ClientConfig,
  onConnectionError: (error: Error) => void,
): Promise<void> {
  const { processID, secretKey } = client as unknown as Cancellable;
  if (processID === null || secretKey === null) return;
  const other = new pg.Client({ ...settings, connectionTimeoutMillis: cancelLimit });
  other.on('error', onConnectionError);
  const { connection } = other as unknown as { readonly connection: CancelConnection };
  let sent = false;
  // In place of the startup message, so that address and TLS are those of every other connection.
  connection.startup = () => {
    sent = true;
    connection.cancel(processID, secretKey);
  };
  try {
    await other.connect();
  } catch (error) {
    // A server answers the request by ending the connection.
    if (!sent) onConnectionError(error instanceof Error ? error : new Error(String(error)));
  }
}
