/** How functions answer when they do not succeed: JSON `{error, code, retry_after?}` with a plain sentence. */
import type { FunctionErrorBody } from '@lanternrock/contract/invitations';
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Logger } from 'pino';
import { DatabaseUnavailableError } from '@lanternrock/postgres/errors';
import type { AppEnv } from '../http/context.ts';
import { isClientAbort } from '../http/client-abort.ts';
import { sessionErrorCode, type SessionErrorCode } from '../transaction-settings.ts';
import { ApiError } from '../errors.ts';

const sessionSentences: Readonly<Record<SessionErrorCode, readonly [status: number, sentence: string]>> = {
  session_not_found: [401, 'Your session has ended. Sign in again.'],
  user_banned: [403, 'Your access was removed.'],
  password_not_set: [403, 'Set your password before you go on.'],
  insufficient_aal: [403, 'Enter the code of your second factor before you go on.'],
};

/** Errors that the function's own rules raise, and everything unforeseen as a 500 without details. */
export function functionErrorResponse(c: Context<AppEnv>, error: unknown, log: Logger): Response {
  const refusal = toApiError(error);
  if (!refusal) {
    const requestId = c.get('requestId');
    if (isClientAbort(error)) log.debug({ requestId }, 'client disconnected');
    else log.error({ err: error, requestId }, 'function failed');
    const unexpected: FunctionErrorBody = {
      error: 'Something went wrong on our side.',
      code: 'unexpected_failure',
    };
    return c.json(unexpected, 500);
  }
  const retryAfter = Number(refusal.headers['Retry-After']);
  const body: FunctionErrorBody = {
    error: refusal.message,
    code: refusal.code,
    ...(Number.isFinite(retryAfter) ? { retry_after: retryAfter } : {}),
  };
  return c.json(body, refusal.status as ContentfulStatusCode, { ...refusal.headers });
}

function toApiError(error: unknown): ApiError | null {
  if (error instanceof ApiError) return error;
  if (error instanceof DatabaseUnavailableError) {
    return new ApiError(503, 'database_unavailable', 'The database does not answer. Try again in a moment.', {
      headers: { 'Retry-After': '5' },
    });
  }
  const code = sessionErrorCode(error);
  if (!code) return null;
  const [status, sentence] = sessionSentences[code];
  return new ApiError(status, code, sentence);
}
