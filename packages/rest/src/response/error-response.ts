/** Converts errors to responses in the error format of PostgREST: `code`, `message`, `details` and `hint`. */
import type { Logger } from 'pino';
import { DatabaseUnavailableError, QueryError, retryAfterSeconds } from '@lanternrock/postgres/errors';
import { RestError } from '../errors.ts';
import type { DatabaseRole, PlainResponse } from '../rest-types.ts';
import { varyHeader } from './build-response.ts';
import { guardError } from '../compile/guards.ts';

/**
 * Status by SQLSTATE, then by class (PostgREST documentation, "Errors from PostgreSQL"). Some codes never arrive here:
 * class 08 is a `DatabaseUnavailableError`.
 */
const codeStatuses: Readonly<Record<string, number>> = {
  '23503': 409,
  '23505': 409,
  '25006': 405,
  '42883': 404,
  '42P01': 404,
  '42P17': 500,
  '42501': 403,
  '53400': 500,
  P0001: 400,
};

const classStatuses: Readonly<Record<string, number>> = {
  '09': 500,
  '0L': 403,
  '0P': 403,
  '25': 500,
  '28': 403,
  '2D': 500,
  '38': 500,
  '39': 500,
  '3B': 500,
  '40': 500,
  '53': 503,
  '54': 500,
  '55': 500,
  '57': 500,
  '58': 500,
  F0: 500,
  HV: 500,
  P0: 500,
  XX: 500,
};

/** Returns the HTTP status of a database error, before 403 is replaced by 401 for the anonymous role. */
function errorStatus({ code, message }: QueryError): number {
  if (code === '21000') return message.endsWith('requires a WHERE clause') ? 400 : 500;
  if (code === '22023') return /^role ".*" does not exist$/.test(message) ? 401 : 400;
  // PostGIS raises an internal error for geometries without a GeoJSON equivalent.
  if (code === 'XX000' && /geojson: .* not supported|unknown in spatial_ref_sys/.test(message)) return 400;
  if (/^PT\d{3}$/.test(code)) {
    const status = Number(code.slice(2));
    return status >= 200 && status <= 599 ? status : 500;
  }
  return codeStatuses[code] ?? classStatuses[code.slice(0, 2)] ?? 400;
}

const retryHeaders = { 'Retry-After': String(retryAfterSeconds) };

/** Responses to the errors that the session check of the service raises, by SQLSTATE. */
export type SessionErrors = Readonly<Record<string, { readonly status: number; readonly code: string }>>;

/** Converts an error to a `RestError`; null for unknown errors, which become PGRSTX00 without details. */
function toRestError(error: unknown, sessionErrors: SessionErrors): RestError | null {
  if (error instanceof RestError) return error;
  if (error instanceof DatabaseUnavailableError) return unavailableError(error);
  if (!(error instanceof QueryError)) return null;
  const guard = guardError(error);
  if (guard) return guard;
  const sessionError = sessionErrors[error.code];
  if (sessionError) return new RestError(sessionError.status, sessionError.code, error.message);
  const status = errorStatus(error);
  return new RestError(status, error.code, error.message, {
    details: error.details,
    // The hint of Postgres can contain a column that is hidden from the client.
    hint: error.code === '42703' ? null : error.hint,
    ...(status === 503 ? { headers: retryHeaders } : {}),
  });
}

function unavailableError({ reason }: DatabaseUnavailableError): RestError {
  if (reason === 'pool') {
    return new RestError(504, 'PGRST003', 'Timed out acquiring connection from connection pool.');
  }
  const message =
    reason === 'read-only'
      ? 'The database is read-only at the moment. Try again later.'
      : 'Database connection error. Retrying the connection.';
  return new RestError(503, 'PGRST000', message, { headers: retryHeaders });
}

export interface ErrorContext {
  /** Name of this server in the header `Proxy-Status` (RFC 9209). */
  readonly serverName: string;
  /** Role of the client; null before authentication. */
  readonly role: DatabaseRole | null;
  readonly requestId: string;
  readonly sessionErrors: SessionErrors;
  readonly log: Logger;
}

/** Builds the response to a failed request. */
export function buildErrorResponse(
  error: unknown,
  { serverName, role, requestId, sessionErrors, log }: ErrorContext,
): PlainResponse {
  const restError = toRestError(error, sessionErrors);
  if (!restError) log.error({ err: error, requestId }, 'data request failed');
  const { status, code, message, details, hint, headers } =
    restError ?? new RestError(500, 'PGRSTX00', 'Internal error');
  const finalStatus = code === '42501' && role === 'anon' ? 401 : status;
  const challenge = code.startsWith('PGRST30') ? invalidTokenChallenge(message) : 'Bearer';
  return {
    status: finalStatus,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      Vary: varyHeader,
      'Proxy-Status': `${serverName}; error=${code}`,
      ...(finalStatus === 401 ? { 'WWW-Authenticate': challenge } : {}),
      ...headers,
    },
    body: JSON.stringify({ code, message, details: details ?? null, hint }),
  };
}

function invalidTokenChallenge(message: string): string {
  return `Bearer error="invalid_token", error_description="${message.replace(/[^\x20-\x7e]|["\\]/g, '')}"`;
}
