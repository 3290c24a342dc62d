/** Error responses of the Functions API: JSON `{error, code, retry_after?}`. */
import type { FunctionErrorBody } from '@lanternrock/contract/invitations';
import { accessEndedMessage, sessionEndedMessage } from '@lanternrock/contract/session-errors';
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Logger } from 'pino';
import { DatabaseUnavailableError, QueryError, retryAfterSeconds } from '@lanternrock/postgres/errors';
import { AuthError } from '@lanternrock/auth';
import { sessionErrorCode } from '../database/session-check.ts';
import { DomainError, domainErrorStatuses } from '../errors.ts';
import { tryToSeniorityError } from '../administrators/administrator-seniority.ts';
import { isClientAbort } from '../http/body-limit.ts';
import type { AppEnv } from '../http/context.ts';

const sessionMessages = {
  session_not_found: sessionEndedMessage,
  user_banned: accessEndedMessage,
  password_not_set: 'Set your password before you continue.',
  insufficient_aal: 'Verify your second factor before you continue.',
} as const;

/** Converts an error to a response. Unexpected errors become a 500 without details. */
export function toFunctionErrorResponse(c: Context<AppEnv>, thrown: unknown, log: Logger): Response {
  const error = toStatusError(thrown);
  if (!error) {
    const requestId = c.get('requestId');
    if (isClientAbort(thrown)) log.debug({ requestId }, 'client disconnected');
    else log.error({ err: thrown, requestId }, 'function failed');
    const unexpected: FunctionErrorBody = { error: 'Unexpected error.', code: 'unexpected_failure' };
    return c.json(unexpected, 500);
  }
  const { status, code, message, headers } = error;
  const retryAfter = headers['Retry-After'];
  const body: FunctionErrorBody = {
    error: message,
    code,
    ...(retryAfter === undefined ? {} : { retry_after: Number(retryAfter) }),
  };
  return c.json(body, status as ContentfulStatusCode, { ...headers });
}

/**
 * Returns why a list of changes, each with its own transaction, stops at an error; null for an unexpected error. The
 * changes before it are committed, so that an error response would hide them.
 */
export function toStopReason(thrown: unknown): { message: string; retry_after: number | null } | null {
  const error = toStatusError(thrown);
  const retryAfter = error?.headers['Retry-After'];
  return (
    error && { message: error.message, retry_after: retryAfter === undefined ? null : Number(retryAfter) }
  );
}

/** An `AuthError` has this form, too. */
interface StatusError {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Returns null for an unexpected error. */
function toStatusError(error: unknown): StatusError | null {
  if (error instanceof AuthError) return error;
  if (error instanceof DomainError) {
    const { code, message, retryAfterSeconds: seconds } = error;
    const headers = seconds === undefined ? {} : { 'Retry-After': String(seconds) };
    return { status: domainErrorStatuses[code], code, message, headers };
  }
  if (error instanceof DatabaseUnavailableError) {
    const message =
      error.reason === 'read-only'
        ? 'The database is read-only at the moment. Try again later.'
        : 'The database is unavailable. Try again in a moment.';
    return toStatusError(new DomainError('database_unavailable', message, { retryAfterSeconds }));
  }
  if (error instanceof QueryError && error.isConflict) {
    const message = 'Another change was made at the same time. Try again.';
    return toStatusError(new DomainError('conflict', message, { retryAfterSeconds, cause: error }));
  }
  if (error instanceof QueryError && error.isTimeout) {
    const message = 'The database took too long. Try again in a moment.';
    return toStatusError(new DomainError('database_timeout', message, { retryAfterSeconds, cause: error }));
  }
  if (error instanceof QueryError && error.isOutOfResources) {
    // Not that nothing was saved: a function can have committed other transactions, and sent emails, before.
    const message = 'The database has no free disk space, memory or file descriptors. Try again later.';
    return toStatusError(new DomainError('database_full', message, { retryAfterSeconds, cause: error }));
  }
  const tooNew = tryToSeniorityError(error);
  if (tooNew) return toStatusError(tooNew);
  const code = sessionErrorCode(error);
  if (code) return toStatusError(new DomainError(code, sessionMessages[code]));
  // An error of the client: NUL in a string, or a time out of range.
  if (error instanceof QueryError && error.code.startsWith('22')) {
    const message = 'A value of the request is not supported.';
    return toStatusError(new DomainError('validation_failed', message, { cause: error }));
  }
  return null;
}
