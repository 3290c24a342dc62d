/** Error responses of the Functions API: JSON `{error, code, retry_after?}`. */
import type { FunctionErrorBody } from '@lanternrock/contract/invitations';
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Logger } from 'pino';
import { DatabaseUnavailableError } from '@lanternrock/postgres/errors';
import type { AppEnv } from '../http/context.ts';
import { isClientAbort } from '../http/body-limit.ts';
import { sessionErrorCode, type SessionErrorCode } from '../database/session-check.ts';
import { ApiError } from '../errors.ts';
import { AuthError } from '../auth/auth-error.ts';

const sessionErrors: Readonly<Record<SessionErrorCode, readonly [status: number, message: string]>> = {
  session_not_found: [401, 'Your session has ended. Sign in again.'],
  user_banned: [403, 'Your access was removed.'],
  password_not_set: [403, 'Set your password before you continue.'],
  insufficient_aal: [403, 'Verify your second factor before you continue.'],
};

/** Converts an error to a response. Unexpected errors become a 500 without details. */
export function functionErrorResponse(c: Context<AppEnv>, error: unknown, log: Logger): Response {
  const apiError = toApiError(error);
  if (!apiError) {
    const requestId = c.get('requestId');
    if (isClientAbort(error)) log.debug({ requestId }, 'client disconnected');
    else log.error({ err: error, requestId }, 'function failed');
    const unexpected: FunctionErrorBody = {
      error: 'Unexpected error.',
      code: 'unexpected_failure',
    };
    return c.json(unexpected, 500);
  }
  const retryAfter = Number(apiError.headers['Retry-After']);
  const body: FunctionErrorBody = {
    error: apiError.message,
    code: apiError.code,
    ...(Number.isFinite(retryAfter) ? { retry_after: retryAfter } : {}),
  };
  return c.json(body, apiError.status as ContentfulStatusCode, { ...apiError.headers });
}

function toApiError(error: unknown): ApiError | AuthError | null {
  if (error instanceof ApiError || error instanceof AuthError) return error;
  if (error instanceof DatabaseUnavailableError) {
    return new ApiError(503, 'database_unavailable', 'The database is unavailable. Try again in a moment.', {
      headers: { 'Retry-After': '5' },
    });
  }
  const code = sessionErrorCode(error);
  if (!code) return null;
  const [status, message] = sessionErrors[code];
  return new ApiError(status, code, message);
}
