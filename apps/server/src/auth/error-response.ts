/** Errors in the auth contract's two shapes, chosen by the caller's `X-Supabase-Api-Version`. */
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Logger } from 'pino';
import { QueryError, DatabaseUnavailableError } from '@lanternrock/postgres/errors';
import type { AppEnv } from '../http/context.ts';
import { isClientAbort } from '../http/client-abort.ts';
import { ApiError } from '../errors.ts';
import { DecryptionError } from '../keys/encryption.ts';

const currentVersion = '2024-01-01';

/** OAuth-style errors (id_token grant): always 400, without a code of ours. */
export class OAuthError extends Error {
  readonly error: string;

  constructor(error: string, description: string) {
    super(description);
    this.name = 'OAuthError';
    this.error = error;
  }
}

/** Whatever was thrown, as something that may be told to the caller. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof DatabaseUnavailableError) {
    const headers = { 'Retry-After': '2' };
    return new ApiError(503, 'unexpected_failure', 'The database does not answer, please retry', {
      headers,
      cause: error,
    });
  }
  // Two acts on one person stood in each other's way, and the database let the other one pass.
  if (error instanceof QueryError && (error.code === '40P01' || error.code === '40001')) {
    const headers = { 'Retry-After': '1' };
    return new ApiError(503, 'conflict', 'Somebody changed the same at this moment, please retry', {
      headers,
      cause: error,
    });
  }
  // Whoever called can do nothing about the key, but what was begun under the present one can be finished.
  if (error instanceof DecryptionError) {
    const message = 'This was begun under another key of the service; please begin again';
    return new ApiError(422, 'secret_unreadable', message, { cause: error });
  }
  // NUL and invalid UTF-8 in a text, or a number out of range: the caller's doing.
  if (error instanceof QueryError && error.code.startsWith('22')) {
    return new ApiError(400, 'validation_failed', 'A value of the request cannot be stored', {
      cause: error,
    });
  }
  return new ApiError(
    500,
    'unexpected_failure',
    'Unexpected failure, please check server logs for more information',
    {
      cause: error,
    },
  );
}

export function authErrorResponse(c: Context<AppEnv>, thrown: unknown, log: Logger): Response {
  if (thrown instanceof OAuthError) {
    return c.json({ error: thrown.error, error_description: thrown.message }, 400);
  }
  const refusal = toApiError(thrown);
  report(refusal, log, c.get('requestId'));
  for (const [name, value] of Object.entries(refusal.headers)) c.header(name, value);
  c.header('x-sb-error-code', refusal.code);
  const weak = refusal.code === 'weak_password' ? { weak_password: refusal.details } : {};
  const status = refusal.status as ContentfulStatusCode;
  if (speaksCurrentVersion(c.req.header('X-Supabase-Api-Version'))) {
    c.header('X-Supabase-Api-Version', currentVersion);
    // error_code too: a proxy that strips the version header then costs nothing.
    return c.json(
      { code: refusal.code, error_code: refusal.code, message: refusal.message, ...weak },
      status,
    );
  }
  const errorId = refusal.status >= 500 ? { error_id: c.get('requestId') } : {};
  return c.json(
    { code: refusal.status, error_code: refusal.code, msg: refusal.message, ...weak, ...errorId },
    status,
  );
}

/** What anybody can bring about at will is told in a line, without a stack, and alarms nobody. */
function report(refusal: ApiError, log: Logger, requestId: string): void {
  const { status, code, cause } = refusal;
  if (isClientAbort(cause)) log.debug({ requestId }, 'client disconnected');
  else if (status === 503 && code === 'over_request_rate_limit')
    log.info({ requestId, code, reason: refusal.message }, 'auth is busy');
  else if (status >= 500 || cause instanceof DecryptionError)
    log.error({ err: cause ?? refusal, requestId }, 'auth failed');
}

/** Versions are dates and compare as text. */
function speaksCurrentVersion(version: string | undefined): boolean {
  return version !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(version) && version >= currentVersion;
}
