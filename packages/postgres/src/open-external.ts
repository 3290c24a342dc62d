/** Opens an external Postgres: its pool, its notifications, and their replacement after a failover. */
import type { ClientSettings } from './client.ts';
import { type ConnectionTarget, explainTlsError, readConnectionUrl } from './connection-url.ts';
import { type Database, sql } from './database.ts';
import { DatabaseUnavailableError, OperationalError } from './errors.ts';
import { listen, type Subscription } from './listen.ts';
import { openPool } from './pool.ts';
import type { ReadOnlyReason } from './write-watch.ts';

export interface ExternalOptions {
  /** Connection URI of PostgreSQL (`DATABASE_URL`). */
  readonly url: string;
  /** `application_name` of the connections, for the monitoring of the server. */
  readonly applicationName?: string;
  readonly poolSize: number;
  /** Maximum wait for an available connection, in milliseconds. */
  readonly connectionTimeoutMs: number;
  /** Maximum wait for a result, in milliseconds. After it the connection is terminated. */
  readonly resultTimeoutMs?: number;
  readonly onConnectionError: (error: Error) => void;
  /** Called once when the server begins to reject writes, and with null when it accepts them again. */
  readonly onReadOnly?: (reason: ReadOnlyReason | null) => void;
  /** Maximum age of a connection, in milliseconds. Default: five minutes. */
  readonly maxLifetimeMs?: number;
}

/** Maximum wait of `close` for running statements, in milliseconds: as long as the embedded engine waits. */
const maxCloseMs = 15_000;

/**
 * Connects to an external Postgres.
 *
 * @throws OperationalError if the URL, the version, the encoding or a setting is not supported
 * @throws DatabaseUnavailableError
 */
export async function openExternal(options: ExternalOptions): Promise<Database> {
  const { onConnectionError } = options;
  const target = readConnectionUrl(options.url);
  const client: ClientSettings = {
    application_name: options.applicationName,
    ...target.client,
    ssl: target.tls[0],
    // A network can lose a connection without an error, and maintenance waits for a result without a limit.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  };
  const subscriptions: Subscription[] = [];
  // The listening connection can lead to the server that was the primary before.
  const reconnect = (): void => {
    for (const subscription of subscriptions) subscription.reconnect();
  };
  const closeTimeoutMs = Math.min(options.resultTimeoutMs ?? maxCloseMs, maxCloseMs);
  const database = await openPool({
    engine: 'postgres',
    client,
    target,
    size: options.poolSize,
    connectionTimeoutMs: options.connectionTimeoutMs,
    closeTimeoutMs,
    onConnectionError,
    onReadOnly: (reason) => {
      options.onReadOnly?.(reason);
      if (reason === null) reconnect();
    },
    onMoved: reconnect,
    ...(options.maxLifetimeMs === undefined ? {} : { maxLifetimeMs: options.maxLifetimeMs }),
    ...(options.resultTimeoutMs === undefined ? {} : { resultTimeoutMs: options.resultTimeoutMs }),
  }).catch((error: unknown) => {
    throw explainFailure(error, target);
  });
  return {
    ...database,
    snapshot: (work) =>
      database.maintenance(async (tx) => {
        await tx.query(sql`set transaction isolation level repeatable read read only`);
        return work(tx);
      }),
    // In transaction mode the pooler assigns the listening server connection to other clients.
    ...(database.pooling !== 'transaction' && {
      listen: (channel: string, onNotification: (payload: string | null) => void) => {
        subscriptions.push(
          listen({
            client,
            channel,
            onNotification,
            onConnectionError,
            closeTimeoutMs,
          }),
        );
      },
    }),
    close: async () => {
      await Promise.all([...subscriptions.map((subscription) => subscription.stop()), database.close()]);
    },
  };
}

/** Returns the error with the parameter of the URL that causes it. */
function explainFailure(error: unknown, { sslMode }: ConnectionTarget): unknown {
  if (!(error instanceof DatabaseUnavailableError)) return error;
  if (error.cause instanceof OperationalError) return error.cause;
  const explanation = explainTlsError(error.cause, sslMode);
  return explanation === null
    ? error
    : new DatabaseUnavailableError(explanation, 'connection', { cause: error.cause });
}
