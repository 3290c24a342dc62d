/** The database interface for embedded and external Postgres. It exposes no type of a driver. */

/** A statement with its bound values, created by the `sql` tag or the compiler of the Data API. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The result of one statement of a batch. Values in `rows` have the text format of Postgres. */
export interface BatchResult {
  readonly rows: readonly (readonly (string | null)[])[];
  /** Number of rows in the command tag (`UPDATE 3`), or 0 if the tag has no number. */
  readonly affected: number;
}

/** A transaction on one connection. Await only the database inside it: it blocks a connection, and may hold locks. */
export interface Transaction {
  /** Runs one statement and returns rows as objects, with the types of `pg` (int8 as string, timestamptz as Date). */
  query<Row extends object = Record<string, unknown>>(statement: Statement): Promise<Row[]>;
}

export interface BatchOptions {
  /**
   * Each connection stores prepared statements by this key and their text. Plans with row level security depend on
   * the role, so requests pass their role.
   */
  readonly planKey?: string;
  /**
   * Reads only: registers a listener for the client's disconnect (called immediately if it is already gone). Returns
   * a function that removes the listener. On an external Postgres the statement is then canceled.
   */
  readonly onClientAbort?: (listener: () => void) => () => void;
  /**
   * Reads only, if they may run twice: returns the same statements with a shorter statement timeout, in milliseconds.
   * On an external Postgres the batch can then use the shared connection. If it does not finish in time, it runs again
   * on a dedicated connection.
   */
  readonly withStatementTimeout?: (timeoutMs: number) => readonly Statement[];
}

/** Assignment of server connections: without a pooler, for a client session, or for one transaction. */
export type PoolingMode = 'none' | 'session' | 'transaction';

/** Connection counts of this process, for metrics. */
interface Connections {
  readonly open: number;
  readonly idle: number;
  /** Number of requests that wait for a connection. */
  readonly waiting: number;
  /** Restarts of the embedded engine after a failure; 0 with an external Postgres. */
  readonly restarts: number;
}

export interface Database extends Transaction {
  readonly engine: 'embedded' | 'postgres';
  /** True for a superuser: request transactions then also change the session authorization. */
  readonly superuser: boolean;
  /** `server_version_num`, for example 150018. */
  readonly version: number;
  /** Mode of the connection pooler, detected when the database is opened. */
  readonly pooling: PoolingMode;

  /**
   * Runs the statements in order as one implicit transaction in one round trip (one Sync). An error in one of them
   * rolls back all. Resolves after the server has reported the commit.
   *
   * @throws QueryError with the SQLSTATE of the server
   * @throws DatabaseUnavailableError
   */
  batch(statements: readonly Statement[], options?: BatchOptions): Promise<BatchResult[]>;

  /** Runs BEGIN, `work` and COMMIT on one connection, or ROLLBACK if `work` throws. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;

  /** Like `transaction`, without a timeout, for migrations, backups and restores. */
  maintenance<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;

  /**
   * Like `maintenance`, for long consistent reads that run concurrently with requests. The embedded engine reads from
   * a copy of its directory; other statements wait once while the copy is completed.
   *
   * @throws OperationalError if there is not enough disk space for the copy
   */
  snapshot<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;

  /**
   * Checks that the server accepts writes.
   *
   * @throws DatabaseUnavailableError with the reason `read-only` if it rejects them
   */
  requireWritable(): Promise<void>;

  /** Returns the disk usage in bytes. Embedded engine only. */
  readonly sizes?: () => { readonly database: number; readonly wal: number };

  /** Runs several statements without parameters, such as a migration file, in the transaction `tx`. */
  script(tx: Transaction, text: string): Promise<void>;

  /**
   * Discards all prepared statements. Call it after DDL: a prepared statement keeps the parameter types of the time
   * when it was prepared.
   */
  discardPlans(): void;

  connections(): Connections;

  /**
   * Subscribes to the notifications of a channel until the database is closed. Only an external Postgres supports it,
   * and not behind a pooler in transaction mode.
   *
   * @param onNotification receives the payload, or null if notifications may have been missed
   */
  readonly listen?: (channel: string, onNotification: (payload: string | null) => void) => void;

  close(): Promise<void>;
}

/**
 * Creates a statement from a template literal. Every `${value}` becomes a bound parameter.
 *
 *     tx.query(sql`select id from auth.users where lower(email) = ${email}`)
 *
 * Identifiers cannot be interpolated. If they vary, write two statements.
 */
export function sql(parts: TemplateStringsArray, ...values: unknown[]): Statement {
  let text = parts[0] ?? '';
  for (let index = 1; index < parts.length; index += 1) {
    text += `$${index}${parts[index] ?? ''}`;
  }
  return { text, values };
}
