/** The errors of this package, and the translation of the driver's errors into them. */
import pg from 'pg';

/** The server refused a statement. Fields as in the wire protocol's ErrorResponse. */
export class QueryError extends Error {
  readonly code: string;
  readonly details: string | null;
  readonly hint: string | null;
  readonly constraint: string | null;
  readonly table: string | null;

  constructor(fields: {
    message: string;
    code: string;
    details?: string | null;
    hint?: string | null;
    constraint?: string | null;
    table?: string | null;
  }) {
    super(fields.message);
    this.name = 'QueryError';
    this.code = fields.code;
    this.details = fields.details ?? null;
    this.hint = fields.hint ?? null;
    this.constraint = fields.constraint ?? null;
    this.table = fields.table ?? null;
  }
}

/** No connection, a lost connection, or none free in time: the caller may try again later. */
export class DatabaseUnavailableError extends Error {
  /** `pool` when no connection became free in time, `connection` otherwise. */
  readonly reason: 'connection' | 'pool';

  constructor(message: string, reason: 'connection' | 'pool' = 'connection', options?: ErrorOptions) {
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
 * A prepared statement is not the one that this connection made: its plan is older than a change of the tables
 * (0A000), or the statement is unknown or exists already (26000, 42P05), because a function removed it or a pooler
 * put another server connection behind this one. Nothing of the batch was committed, so it may run again.
 */
export class StalePlanError extends QueryError {}

/** SQLSTATE duplicate_prepared_statement: on a connection of its own a service never meets it. */
export const duplicateStatement = '42P05';

/**
 * A function may raise the same codes; the place in the source of Postgres distinguishes these cases. A pooler that
 * reports them itself names no place.
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

export function rethrowTranslated(error: unknown): never {
  throw toDatabaseError(error, 'running');
}

/** Errors that the driver threw become the classes of this module. */
export function toDatabaseError(error: unknown, phase: 'connecting' | 'running'): unknown {
  if (error instanceof QueryError || error instanceof DatabaseUnavailableError) return error;
  if (error instanceof pg.DatabaseError) {
    const code = error.code ?? 'XX000';
    // 57P01..57P03: the server is shutting down or starting; 53300: it has no free connection.
    if (/^57P0[123]$/.test(code) || code === '53300' || code.startsWith('08')) {
      return new DatabaseUnavailableError(error.message, 'connection', { cause: error });
    }
    const Kind = isStalePlan(error) ? StalePlanError : QueryError;
    return new Kind({
      message: error.message,
      code,
      details: error.detail ?? null,
      hint: error.hint ?? null,
      constraint: error.constraint ?? null,
      table: error.table ?? null,
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
