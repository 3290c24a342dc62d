/** Limits the response time of every request of the Auth API, and checks its audience. */
import type { MiddlewareHandler } from 'hono';
import type { AuthEnv } from '../client-info.ts';
import { audienceMismatchError, AuthError } from '../auth-error.ts';
import { audience } from '../sessions/token-verifier.ts';

/**
 * Responds with 504 after a timeout, on which clients retry a refresh and keep the session. The handler continues;
 * its transaction commits completely or not at all.
 */
export const requestTimeout =
  (timeoutMs: number): MiddlewareHandler<AuthEnv> =>
  async (_c, next) => {
    let timer: NodeJS.Timeout | undefined;
    const timedOut = new Promise<never>((_resolve, reject) => {
      const message = 'Processing this request timed out, please retry after a moment.';
      timer = setTimeout(() => reject(new AuthError(504, 'request_timeout', message)), timeoutMs);
    });
    try {
      await Promise.race([next(), timedOut]);
    } finally {
      clearTimeout(timer);
    }
  };

/** Rejects requests for any audience other than `authenticated`. */
export const requireAudience: MiddlewareHandler<AuthEnv> = async (c, next) => {
  const requestedAudience = c.req.header('X-JWT-AUD') ?? '';
  if (requestedAudience !== '' && requestedAudience !== audience) {
    throw audienceMismatchError();
  }
  await next();
};
