/** Serializes errors in the two formats of Supabase Auth, selected by the header `X-Supabase-Api-Version`. */
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Logger } from 'pino';
import { DatabaseUnavailableError, QueryError, retryAfterSeconds } from '@lanternrock/postgres/errors';
import type { AuthEnv } from '../client-info.ts';
import { AuthError } from '../auth-error.ts';
import { DecryptionError } from '../keys/encryption.ts';

const currentVersion = '2024-01-01';

/** An OAuth-style error of the id_token grant: always 400, without an error code of Supabase Auth. */
export class OAuthError extends Error {
  readonly error: string;

  constructor(error: string, description: string) {
    super(description);
    this.name = 'OAuthError';
    this.error = error;
  }
}

const retryHeaders = { 'Retry-After': String(retryAfterSeconds) };

/** Converts any thrown value to an `AuthError` that is safe to send to the client. */
export function toAuthError(error: unknown): AuthError {
  if (error instanceof AuthError) return error;
  if (error instanceof DatabaseUnavailableError) {
    const message =
      error.reason === 'read-only'
        ? 'The database is read-only at the moment, please retry later'
        : 'The database is unavailable, please retry';
    return new AuthError(503, 'unexpected_failure', message, {
      headers: retryHeaders,
      cause: error,
    });
  }
  if (error instanceof QueryError && error.isConflict) {
    return new AuthError(503, 'conflict', 'Conflicting concurrent change, please retry', {
      headers: retryHeaders,
      cause: error,
    });
  }
  if (error instanceof QueryError && error.isTimeout) {
    return new AuthError(503, 'unexpected_failure', 'The database took too long, please retry', {
      headers: retryHeaders,
      cause: error,
    });
  }
  if (error instanceof QueryError && error.isOutOfResources) {
    const message = 'The database has no free disk space, memory or file descriptors, please retry later';
    return new AuthError(503, 'unexpected_failure', message, { headers: retryHeaders, cause: error });
  }
  // The client cannot restore the old key, but can start the flow again with the current one.
  if (error instanceof DecryptionError) {
    const message = 'The encryption key has changed, please start again';
    return new AuthError(422, 'secret_unreadable', message, { cause: error });
  }
  // An error of the client: NUL or invalid UTF-8 in a string, or a number out of range.
  if (error instanceof QueryError && error.code.startsWith('22')) {
    return new AuthError(400, 'validation_failed', 'A value of the request cannot be stored', {
      cause: error,
    });
  }
  return new AuthError(
    500,
    'unexpected_failure',
    'Unexpected failure, please check server logs for more information',
    {
      cause: error,
    },
  );
}

export function toAuthErrorResponse(c: Context<AuthEnv>, thrown: unknown, log: Logger): Response {
  if (thrown instanceof OAuthError) {
    return c.json({ error: thrown.error, error_description: thrown.message }, 400);
  }
  const error = toAuthError(thrown);
  logError(error, log, c.env.client.requestId);
  for (const [name, value] of Object.entries(error.headers)) c.header(name, value);
  c.header('x-sb-error-code', error.code);
  const weakPassword = error.code === 'weak_password' ? { weak_password: error.details } : {};
  const status = error.status as ContentfulStatusCode;
  if (usesCurrentFormat(c.req.header('X-Supabase-Api-Version'))) {
    c.header('X-Supabase-Api-Version', currentVersion);
    // Includes error_code, so that clients still find it if a proxy strips the version header.
    return c.json(
      { code: error.code, error_code: error.code, message: error.message, ...weakPassword },
      status,
    );
  }
  const errorId = error.status >= 500 ? { error_id: c.env.client.requestId } : {};
  return c.json(
    { code: error.status, error_code: error.code, msg: error.message, ...weakPassword, ...errorId },
    status,
  );
}

/** Returns true if the client disconnected while sending the request body: the error of Node's `abortIncoming`. */
const isClientAbort = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ECONNRESET' && error.message === 'aborted';

/** Logs server errors. Errors that any client can cause are logged without a stack and below the level `error`. */
function logError(error: AuthError, log: Logger, requestId: string): void {
  const { status, code, cause } = error;
  if (isClientAbort(cause)) log.debug({ requestId }, 'client disconnected');
  else if (status === 503 && code === 'over_request_rate_limit')
    log.info({ requestId, code, reason: error.message }, 'password hashing overloaded');
  // The database reports once that it is unavailable.
  else if (cause instanceof DatabaseUnavailableError)
    log.debug({ err: cause, requestId }, 'auth request failed');
  else if (status >= 500 || cause instanceof DecryptionError)
    log.error({ err: cause ?? error, requestId }, 'auth request failed');
}

/** Versions are ISO dates, which compare as strings. */
function usesCurrentFormat(version: string | undefined): boolean {
  return version !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(version) && version >= currentVersion;
}
