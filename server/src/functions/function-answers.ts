/** How functions answer when they do not succeed: JSON `{error, code, retry_after?}` with a plain sentence. */
import type { FunctionRefusal } from '@lanternrock/contract/invitations';
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Logger } from 'pino';
import type { AppEnv } from '../app-env.ts';
import { callerLeft } from '../caller-left.ts';
import { DatabaseUnavailable } from '../database/database.ts';
import { sessionRefusal, type SessionRefusal } from '../database/request-scope.ts';
import { Refusal } from '../errors.ts';

const sessionSentences: Readonly<Record<SessionRefusal, readonly [status: number, sentence: string]>> = {
  session_not_found: [401, 'Your session has ended. Sign in again.'],
  user_banned: [403, 'Your access was removed.'],
  password_not_set: [403, 'Set your password before you go on.'],
  insufficient_aal: [403, 'Enter the code of your second factor before you go on.'],
};

/** Errors that the function's own rules raise, and everything unforeseen as a 500 without details. */
export function refusalAnswer(c: Context<AppEnv>, error: unknown, log: Logger): Response {
  const refusal = asRefusal(error);
  if (!refusal) {
    const requestId = c.get('requestId');
    if (callerLeft(error)) log.debug({ requestId }, 'a caller left');
    else log.error({ err: error, requestId }, 'function failed');
    const unexpected: FunctionRefusal = {
      error: 'Something went wrong on our side.',
      code: 'unexpected_failure',
    };
    return c.json(unexpected, 500);
  }
  const retryAfter = Number(refusal.headers['Retry-After']);
  const body: FunctionRefusal = {
    error: refusal.message,
    code: refusal.code,
    ...(Number.isFinite(retryAfter) ? { retry_after: retryAfter } : {}),
  };
  return c.json(body, refusal.status as ContentfulStatusCode, { ...refusal.headers });
}

function asRefusal(error: unknown): Refusal | null {
  if (error instanceof Refusal) return error;
  if (error instanceof DatabaseUnavailable) {
    return new Refusal(503, 'database_unavailable', 'The database does not answer. Try again in a moment.', {
      headers: { 'Retry-After': '5' },
    });
  }
  const code = sessionRefusal(error);
  if (!code) return null;
  const [status, sentence] = sessionSentences[code];
  return new Refusal(status, code, sentence);
}
