/** Every error as the wire contract's object with its four keys; sections 10.1 and 10.2. */
import type { Logger } from 'pino';
import { QueryError, DatabaseUnavailableError } from '@lanternrock/postgres/errors';
import { isClientAbort } from '../http/client-abort.ts';
import { sessionErrorCode } from '../transaction-settings.ts';
import { ApiError } from '../errors.ts';
import type { DatabaseRole } from '../principal.ts';
import { varyHeader, type PlainResponse } from './plain-response.ts';
import { guardError } from './compile/guards.ts';

const statuses: Readonly<Record<string, number>> = {
  '23503': 409,
  '23505': 409,
  '25006': 405,
  '42883': 404,
  '42P01': 404,
  '42P17': 500,
  '42501': 403,
  '57014': 500,
  '53400': 500,
  P0001: 400,
};

const classStatuses: Readonly<Record<string, number>> = {
  '08': 503,
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

/** HTTP status of a database error, before the anonymous role turns 403 into 401. */
function statusOf({ code, message }: QueryError): number {
  if (code === '21000') return message.endsWith('requires a WHERE clause') ? 400 : 500;
  if (code === '22023') return /^role ".*" does not exist$/.test(message) ? 401 : 400;
  // PostGIS calls it internal that GeoJSON has no word for a stored shape.
  if (code === 'XX000' && /geojson: .* not supported|unknown in spatial_ref_sys/.test(message)) return 400;
  if (/^PT\d{3}$/.test(code)) return validStatus(Number(code.slice(2)));
  return statuses[code] ?? classStatuses[code.slice(0, 2)] ?? 400;
}

function validStatus(status: number): number {
  return status >= 200 && status <= 599 ? status : 500;
}

/** Translates what a request failed with. Unknown errors become PGRSTX00, without their text. */
function toApiError(error: unknown): ApiError | null {
  if (error instanceof ApiError) return error;
  if (error instanceof DatabaseUnavailableError) return unavailable(error);
  if (!(error instanceof QueryError)) return null;
  const guarded = guardError(error);
  if (guarded) return guarded;
  const broken = sessionErrorCode(error);
  if (broken === 'session_not_found' || broken === 'user_banned')
    return new ApiError(401, 'PGRST303', error.message);
  if (broken !== null) return new ApiError(403, broken, error.message);
  return new ApiError(statusOf(error), error.code, error.message, {
    details: error.details,
    // Postgres' own proposal could name a column that the caller may not see.
    hint: error.code === '42703' ? null : error.hint,
    ...(statusOf(error) === 503 ? { headers: { 'Retry-After': '1' } } : {}),
  });
}

function unavailable({ reason }: DatabaseUnavailableError): ApiError {
  if (reason === 'pool') {
    return new ApiError(504, 'PGRST003', 'Timed out acquiring connection from connection pool.');
  }
  return new ApiError(503, 'PGRST000', 'Database connection error. Retrying the connection.', {
    headers: { 'Retry-After': '1' },
  });
}

/** The answer to a failed request. */
export function restErrorResponse(error: unknown, role: DatabaseRole | null, log: Logger): PlainResponse {
  const refusal = toApiError(error);
  if (isClientAbort(error)) log.debug('a caller left');
  else if (!refusal) log.error({ err: error }, 'data request failed');
  const { status, code, message, details, hint, headers } =
    refusal ?? new ApiError(500, 'PGRSTX00', 'Internal error');
  const actual = code === '42501' && role === 'anon' ? 401 : status;
  const challenge = code.startsWith('PGRST30') ? invalidToken(message) : 'Bearer';
  return {
    status: actual,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      Vary: varyHeader,
      'Proxy-Status': `lanternrock; error=${code}`,
      ...(actual === 401 ? { 'WWW-Authenticate': challenge } : {}),
      ...headers,
    },
    body: JSON.stringify({ code, message, details: details ?? null, hint }),
  };
}

function invalidToken(message: string): string {
  return `Bearer error="invalid_token", error_description="${message.replace(/[^\x20-\x7e]|["\\]/g, '')}"`;
}
