/** The errors of this package, and the translation of driver errors. */
import pg from 'pg';

/** The server rejected a statement. The fields are those of ErrorResponse in the wire protocol. */
export class QueryError extends Error {
  readonly code: string;
  readonly details: string | null;
  readonly hint: string | null;
  readonly constraint: string | null;
  readonly table: string | null;
  /** The function in the source of Postgres that reported the error. */
  readonly routine: string | null;

  constructor(fields: {
    message: string;
    code: string;
    details?: string | null;
    hint?: string | null;
    constraint?: string | null;
    table?: string | null;
    routine?: string | null;
  }) {
    super(fields.message);
    this.name = 'QueryError';
    this.code = fields.code;
    this.details = fields.details ?? null;
    this.hint = fields.hint ?? null;
    this.constraint = fields.constraint ?? null;
    this.table = fields.table ?? null;
    this.routine = fields.routine ?? null;
  }

  /** True for a serialization failure or a deadlock: the transaction was rolled back, and a retry can succeed. */
  get isConflict(): boolean {
    return this.code === '40001' || this.code === '40P01';
  }

  /** True if `statement_timeout` or `lock_timeout` ended the statement: the load is high, and a retry can succeed. */
  get isTimeout(): boolean {
    return this.code === queryCanceled || this.code === '55P03';
  }

  /**
   * True if the server has no disk space (53100), memory (53200) or file descriptors (53000) for the statement: a retry
   * can succeed later. It cannot after 53400, a limit in the settings of the server, for example `temp_file_limit`.
   */
  get isOutOfResources(): boolean {
    return this.code === '53000' || this.code === '53100' || this.code === '53200';
  }
}

/** `Retry-After` of responses to short failures, such as a conflict or a `DatabaseUnavailableError`, in seconds. */
export const retryAfterSeconds = 1;

type UnavailableReason = 'connection' | 'pool' | 'read-only';

/**
 * There is no connection, it was lost, none became available in time, or the server rejects writes. The operation can
 * be retried later.
 */
export class DatabaseUnavailableError extends Error {
  /** `pool` if no connection became available in time, `read-only` if the server rejects writes. */
  readonly reason: UnavailableReason;

  constructor(message: string, reason: UnavailableReason = 'connection', options?: ErrorOptions) {
    super(message, options);
    this.name = 'DatabaseUnavailableError';
    this.reason = reason;
  }
}

/** An error that the operator can fix. Commands print its message and exit with code 1. */
export class OperationalError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'OperationalError';
  }
}

/**
 * A prepared statement of the connection is not valid. Its plan is older than a schema change (0A000), or the statement
 * does not exist or exists already (26000, 42P05), because a function deallocated it or a pooler changed the server
 * connection. The batch was rolled back, so it can run again.
 */
export class StalePlanError extends QueryError {}

/** SQLSTATE query_canceled: by a timeout or by a cancel request. */
export const queryCanceled = '57014';

/**
 * Before version 16, a statement that is canceled while `pg_trgm` compiles a regular expression for its index reports an invalid
 * expression. Postgres does not translate this part of the message.
 */
const isInterruptedPattern = ({ code, message }: pg.DatabaseError): boolean =>
  code === '2201B' && message.endsWith('operation cancelled');

/** SQLSTATE duplicate_prepared_statement. Without a pooler it cannot occur. */
export const duplicateStatement = '42P05';

/**
 * Functions in the source of Postgres that report each code. User-defined functions can raise the same codes; the
 * routine name distinguishes them. Errors of a pooler have no routine name.
 */
const stalePlanRoutines: Readonly<Record<string, string>> = {
  '0A000': 'RevalidateCachedQuery',
  '26000': 'FetchPreparedStatement',
  [duplicateStatement]: 'StorePreparedStatement',
};

function isStalePlan({ code = '', routine }: pg.DatabaseError): boolean {
  const expected = stalePlanRoutines[code];
  if (expected === undefined) return false;
  return routine === expected || (routine === undefined && code !== '0A000');
}

/**
 * Codes with which a standby, or a session with `default_transaction_read_only`, rejects a statement: invalid
 * transaction state, a feature or a state that recovery excludes, and a conflict with recovery. Other causes have the
 * same codes.
 */
const readOnlyCodes = /^(25|0A000$|55000$|40001$|40P01$)/;

export const canMeanReadOnly = (error: unknown): error is QueryError =>
  error instanceof QueryError && readOnlyCodes.test(error.code);

/**
 * Codes that end the connection or mean that there is none: the server is shutting down or starting (57P01 to 57P03),
 * the database was dropped (57P04), a timeout ended the session (57P05, 25P03, 25P04), or too many connections (53300).
 */
const connectionLostCodes = /^(08|57P0|25P0[34]$|53300$)/;

/** Returns true if the server accepts no further connection. */
export const isTooManyConnections = (error: unknown): boolean =>
  error instanceof DatabaseUnavailableError &&
  error.cause instanceof pg.DatabaseError &&
  error.cause.code === '53300';

export function rethrowTranslated(error: unknown): never {
  throw toDatabaseError(error, 'running');
}

/** Converts an error of the driver to an error class of this module. Returns unknown errors unchanged. */
export function toDatabaseError(error: unknown, phase: 'connecting' | 'running'): unknown {
  if (error instanceof QueryError || error instanceof DatabaseUnavailableError) return error;
  if (error instanceof pg.DatabaseError) {
    const code = error.code ?? 'XX000';
    // While connecting, every error means that there is no connection, for example after a changed password.
    if (phase === 'connecting' || connectionLostCodes.test(code)) {
      return new DatabaseUnavailableError(error.message, 'connection', { cause: error });
    }
    if (isInterruptedPattern(error))
      return new QueryError({ message: 'canceling statement in a regular expression', code: queryCanceled });
    const Kind = isStalePlan(error) ? StalePlanError : QueryError;
    return new Kind({
      message: error.message,
      code,
      details: error.detail ?? null,
      hint: error.hint ?? null,
      constraint: error.constraint ?? null,
      table: error.table ?? null,
      routine: error.routine ?? null,
    });
  }
  if (error instanceof Error) {
    const system = (error as NodeJS.ErrnoException).code;
    const lost = /^(Connection terminated|Client has encountered|timeout exceeded|The embedded database)/;
    if (phase === 'connecting' || lost.test(error.message) || /^E[A-Z]+$/.test(system ?? '')) {
      const reason = error.message.startsWith('timeout exceeded') ? 'pool' : 'connection';
      return new DatabaseUnavailableError(error.message, reason, { cause: error });
    }
  }
  return error;
}
