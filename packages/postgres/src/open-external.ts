/** Opens an external Postgres. */
import { type Database, sql } from './database.ts';
import { OperationalError } from './errors.ts';
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
  /** Called once when the server begins to refuse writes, and with null when it accepts them again. */
  readonly onReadOnly?: (reason: ReadOnlyReason | null) => void;
  /** Maximum age of a connection, in milliseconds. Default: five minutes. */
  readonly maxLifetimeMs?: number;
}

/** Oldest version of Postgres that the migrations support. */
const minVersion = 150_000;

/**
 * Connects to an external Postgres.
 *
 * @throws OperationalError if the version is too old
 * @throws DatabaseUnavailableError
 */
export async function openExternal(options: ExternalOptions): Promise<Database> {
  const { onConnectionError } = options;
  const client = { connectionString: options.url, application_name: options.applicationName };
  const subscriptions: Subscription[] = [];
  const database = await openPool({
    engine: 'postgres',
    client,
    size: options.poolSize,
    connectionTimeoutMs: options.connectionTimeoutMs,
    onConnectionError,
    onReadOnly: (reason) => {
      options.onReadOnly?.(reason);
      // The listening connection can lead to the server that was the primary before.
      if (reason === null) for (const subscription of subscriptions) subscription.reconnect();
    },
    ...(options.maxLifetimeMs === undefined ? {} : { maxLifetimeMs: options.maxLifetimeMs }),
    ...(options.resultTimeoutMs === undefined ? {} : { resultTimeoutMs: options.resultTimeoutMs }),
  });
  if (database.version < minVersion) {
    await database.close();
    throw new OperationalError(
      `DATABASE_URL points to Postgres ${Math.floor(database.version / 10_000)}. Version 15 or newer is required.`,
    );
  }
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
            closeTimeoutMs: options.resultTimeoutMs,
          }),
        );
      },
    }),
    close: async () => {
      await Promise.all(subscriptions.map((subscription) => subscription.stop()));
      await database.close();
    },
  };
}
