/** Errors of the driver in the terms of `database.ts`. */
import pg from 'pg';
import { DatabaseFailure, DatabaseUnavailable } from './database.ts';

/** The plan of a prepared statement was made before the tables changed; it has to be made again. */
export class StalePlan extends DatabaseFailure {}

/** Postgres says 0A000 of all that it does not support; only the place in its source tells this case apart. */
const isStalePlan = ({ code, routine }: pg.DatabaseError): boolean =>
  code === '26000' || (code === '0A000' && routine === 'RevalidateCachedQuery');

export function rethrow(error: unknown): never {
  throw asDatabaseError(error, 'running');
}

/** Errors that the driver threw become the two classes of `database.ts`. */
export function asDatabaseError(error: unknown, phase: 'connecting' | 'running'): unknown {
  if (error instanceof DatabaseFailure || error instanceof DatabaseUnavailable) return error;
  if (error instanceof pg.DatabaseError) {
    const code = error.code ?? 'XX000';
    // 57P01..57P03: the server is shutting down or starting; 53300: it has no free connection.
    if (/^57P0[123]$/.test(code) || code === '53300' || code.startsWith('08')) {
      return new DatabaseUnavailable(error.message, 'connection', { cause: error });
    }
    const Kind = isStalePlan(error) ? StalePlan : DatabaseFailure;
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
      return new DatabaseUnavailable(error.message, reason, { cause: error });
    }
  }
  return error;
}
