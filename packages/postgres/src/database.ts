/**
 * The one door to Postgres, the same for the embedded engine and an external server.
 * Everything above this folder speaks this interface; no driver type leaves it.
 */

import type { PoolingMode } from './pooling.ts';

/** A statement with its bound values; made by the `sql` tag or by the data interface's compiler. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** What one statement of a batch returned. Values of `rows` are text exactly as Postgres printed it. */
export interface BatchResult {
  readonly rows: readonly (readonly (string | null)[])[];
  /** Rows touched, as in the command tag (`UPDATE 3`); 0 where the tag has no number. */
  readonly affected: number;
}

/** A transaction on one connection. Never await anything but the database inside it. */
export interface Transaction {
  /** Runs one statement; rows as objects, with `pg`'s type mapping (int8 as text, timestamptz as Date). */
  query<Row extends object = Record<string, unknown>>(statement: Statement): Promise<Row[]>;
}

export interface BatchOptions {
  /**
   * Each connection keeps prepared statements by this key and their text. Plans of secured tables depend on
   * the role, so requests pass their role here.
   */
  readonly planKey?: string;
  /**
   * For reads: registers what to do when nobody waits for the answer any more, at once if that is so
   * already, and returns how to take that back. The statement is then cancelled, on an external Postgres.
   */
  readonly onClientAbort?: (listener: () => void) => () => void;
  /**
   * For reads that may run twice: the same statements, held to fewer milliseconds. With it an external Postgres
   * may answer from a connection that several callers share, and runs what is not done in time again alone.
   */
  readonly withStatementTimeout?: (limit: number) => readonly Statement[];
}

/** The connections of this process, for metrics. */
interface Connections {
  readonly open: number;
  readonly idle: number;
  /** Callers that wait for one. */
  readonly waiting: number;
  /** How often the embedded engine was opened again after it broke; 0 with Postgres. */
  readonly restarts: number;
}

export interface Database extends Transaction {
  readonly engine: 'embedded' | 'postgres';
  /** True when the login is a superuser: request transactions then also switch the session authorization. */
  readonly superuser: boolean;
  /** `server_version_num`, for example 150018. */
  readonly version: number;
  /** How a pooler before this database assigns connections, as found when the database was opened. */
  readonly pooling: PoolingMode;

  /**
   * Runs the statements in order as one implicit transaction in one round trip (one Sync): an error
   * in any of them undoes all. Resolves only when the server reported the commit.
   * @throws QueryError with the server's SQLSTATE, or DatabaseUnavailableError.
   */
  batch(statements: readonly Statement[], options?: BatchOptions): Promise<BatchResult[]>;

  /** BEGIN, `work`, COMMIT on one connection; ROLLBACK when `work` throws. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;

  /** As `transaction`, for migrations, backups and restores: without time limit. */
  maintenance<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;

  /**
   * As `maintenance`, for long reads of one state beside running requests. The embedded engine reads from a copy of
   * its directory, for which every caller waits once.
   * @throws OperationalError if the disk has no room for the copy
   */
  snapshot<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;

  /** Bytes on the disk; the embedded engine only. */
  readonly sizes?: () => { readonly database: number; readonly wal: number };

  /** Runs a script of several statements without parameters (a migration file) inside `tx`. */
  script(tx: Transaction, text: string): Promise<void>;

  /**
   * Lets every statement be prepared anew, after tables changed: a prepared one keeps the types that its values had
   * when it was made.
   */
  discardPlans(): void;

  connections(): Connections;

  /**
   * Hears the notifications of a channel until the database is closed. Only an external Postgres has it, and not
   * behind a pooler in transaction mode.
   * @param heard gets the payload, or null when some may have been missed
   */
  readonly listen?: (channel: string, heard: (payload: string | null) => void) => void;

  close(): Promise<void>;
}

/**
 * Tag for statements written in the source: every `${value}` becomes a bound parameter.
 *
 *     tx.query(sql`select id from auth.users where lower(email) = ${email}`)
 *
 * Identifiers cannot be interpolated; where they vary, write two statements.
 */
export function sql(parts: TemplateStringsArray, ...values: unknown[]): Statement {
  let text = parts[0] ?? '';
  for (let index = 1; index < parts.length; index += 1) {
    text += `$${index}${parts[index] ?? ''}`;
  }
  return { text, values };
}
