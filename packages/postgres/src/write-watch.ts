/**
 * Recognizes a server that rejects writes: a standby, or a primary with `default_transaction_read_only`. A connection
 * keeps leading to a server that was demoted, and keeps its defaults, so every connection is then replaced: once when the
 * server begins to reject writes, and once when the address leads to a server that accepts them. Reads continue.
 */
import type pg from 'pg';
import type { ConnectionPool } from './connection-pool.ts';
import { withClient, type WithConnection } from './connection.ts';
import type { ServerList } from './server-list.ts';
import { withResultTimeout } from './wire-connection.ts';
import {
  canMeanReadOnly,
  DatabaseUnavailableError,
  isTooManyConnections,
  type QueryError,
} from './errors.ts';

/** Interval of the checks while the server rejects writes, in milliseconds. */
const checkIntervalMs = 1000;

/** SQLSTATE read_only_sql_transaction. */
const readOnlyTransaction = '25006';

/** The function of Postgres that rejects the value of an on-off setting, here of `transaction_read_only`. */
const settingRoutine = 'call_bool_check_hook';

/**
 * Returns true if a transaction that began read-only rejected a write, or `set transaction read write`
 * (active_sql_transaction). Other statements have the second code in every transaction, for example `vacuum`.
 */
const isWriteRefusal = ({ code, routine }: QueryError): boolean =>
  code === readOnlyTransaction || (code === '25001' && routine === settingRoutine);

/** Why the server rejects writes. */
export type ReadOnlyReason = 'standby' | 'default_transaction_read_only';

interface WriteState {
  readonly standby: boolean;
  readonly read_only: boolean;
}

/** Outside a transaction, `transaction_read_only` has the value that the next transaction starts with. */
const readState = `select pg_catalog.pg_is_in_recovery() as standby,
  pg_catalog.current_setting('transaction_read_only') = 'on' as read_only`;

/** Queries the server of a connection that is not in a transaction. Returns null if it accepts writes. */
async function findReadOnlyReason(
  client: pg.ClientBase,
  resultTimeoutMs?: number,
): Promise<ReadOnlyReason | null> {
  const { rows } = await withResultTimeout(client, resultTimeoutMs, client.query<WriteState>(readState));
  if (rows[0]?.standby) return 'standby';
  return rows[0]?.read_only ? 'default_transaction_read_only' : null;
}

const readOnlyError = (reason: ReadOnlyReason): DatabaseUnavailableError =>
  new DatabaseUnavailableError(
    reason === 'standby'
      ? 'the server is a standby, which refuses writes'
      : 'default_transaction_read_only is on, so the server refuses writes',
    'read-only',
  );

/** @throws DatabaseUnavailableError if the server of a new connection rejects writes */
export async function requireWritableServer(client: pg.PoolClient): Promise<void> {
  const reason = await findReadOnlyReason(client);
  if (reason) throw readOnlyError(reason);
}

export interface WriteWatchOptions {
  readonly connections: ConnectionPool;
  /** For connections outside the pool. Omitted for the embedded engine, which has one connection. */
  readonly servers: ServerList | undefined;
  /** Maximum wait for a connection, in milliseconds. */
  readonly connectionTimeoutMs: number;
  /** Maximum wait for a result, in milliseconds; undefined waits without a limit. */
  readonly resultTimeoutMs: number | undefined;
  /** Called once when the server begins to reject writes, and with null when it accepts them again. */
  readonly onReadOnly: (reason: ReadOnlyReason | null) => void;
}

export class WriteWatch {
  readonly #options: WriteWatchOptions;
  #reason: ReadOnlyReason | null = null;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: WriteWatchOptions) {
    this.#options = options;
  }

  /**
   * Queries a server, to find out whether it rejects writes.
   *
   * @throws DatabaseUnavailableError also if it does
   */
  async requireWritable(client: pg.PoolClient): Promise<void> {
    const reason = await findReadOnlyReason(client, this.#options.resultTimeoutMs);
    if (reason === null) return;
    // A connection that was replaced during the check has the server or the defaults of an earlier time.
    if (!this.#options.connections.isStale(client)) this.#report(reason);
    throw readOnlyError(reason);
  }

  /**
   * Returns a function that queries the server after an error that can mean that it rejects writes. A transaction that the
   * caller has made read-only is rejected a write with 25006 by every server, so that error of a read is kept.
   */
  withConnection({ isRead = false } = {}): WithConnection {
    return (work) =>
      withClient(this.#options.connections, async (client) => {
        try {
          return await work(client);
        } catch (error) {
          const isSuspect = canMeanReadOnly(error) && !(isRead && error.code === readOnlyTransaction);
          if (isSuspect) await this.requireWritable(client);
          if (isSuspect && !isRead && isWriteRefusal(error)) {
            // The server was promoted, or its default was reset, after the transaction had begun.
            throw new DatabaseUnavailableError(
              'the server refused writes when the transaction began',
              'read-only',
            );
          }
          throw error;
        }
      });
  }

  #report(reason: ReadOnlyReason): void {
    if (this.#reason !== null || this.#closed) return;
    this.#reason = reason;
    this.#options.connections.replaceAll();
    this.#options.onReadOnly(reason);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#closed) return;
    this.#timer = setTimeout(() => {
      this.#check().then(
        (reason) => (reason ? this.#schedule() : this.#accept()),
        () => this.#schedule(),
      );
    }, checkIntervalMs);
    this.#timer.unref();
  }

  /**
   * Queries on a new connection, because an open one keeps its server and its defaults. It is not one of the pool, whose
   * connections serve reads.
   */
  async #check(): Promise<ReadOnlyReason | null> {
    const { connections, servers, connectionTimeoutMs, resultTimeoutMs } = this.#options;
    const ask = (asked: pg.ClientBase): Promise<ReadOnlyReason | null> =>
      findReadOnlyReason(asked, resultTimeoutMs);
    if (servers) {
      try {
        return await servers.ask(connectionTimeoutMs / servers.count, ask, (reason) => reason === null);
      } catch (error) {
        if (!isTooManyConnections(error)) throw error;
      }
    }
    connections.replaceAll();
    return withClient(connections, ask);
  }

  #accept(): void {
    this.#reason = null;
    // Connections that were opened during the check can have the old defaults.
    this.#options.connections.replaceAll();
    this.#options.onReadOnly(null);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }
}
