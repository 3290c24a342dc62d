/** Rules for every request to the auth service. */
import type { MiddlewareHandler } from 'hono';
import type { AppEnv } from '../http/context.ts';
import { ApiError } from '../errors.ts';
import { audience } from './sessions/token-verifier.ts';

/**
 * Answers 504 when there is no answer in time; the client tries a refresh again then, and nobody is
 * signed out. What was begun may still end well: every act is one transaction.
 */
export const requestTimeout =
  (milliseconds: number): MiddlewareHandler<AppEnv> =>
  async (_c, next) => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      const message = 'Processing this request timed out, please retry after a moment.';
      timer = setTimeout(() => reject(new ApiError(504, 'request_timeout', message)), milliseconds);
    });
    try {
      await Promise.race([next(), late]);
    } finally {
      clearTimeout(timer);
    }
  };

/** All people here are of one audience; whoever asks for another must not be given this one's. */
export const requireAudience: MiddlewareHandler<AppEnv> = async (c, next) => {
  const wish = c.req.header('X-JWT-AUD') ?? '';
  if (wish !== '' && wish !== audience) {
    throw new ApiError(400, 'validation_failed', "Token audience doesn't match request audience");
  }
  await next();
};
