/** Limits the size of request bodies, and recognizes incomplete ones. */
import type { Context, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { AppEnv } from './context.ts';

const bodiless = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Checks a declared `Content-Length` only: Node's HTTP parser enforces it. Hono's middleware reads the body, which
 * creates a `Request` and its web stream (20 % of the time of an insert), so it is used only for chunked bodies.
 */
export function bodySizeLimit(
  maxBytes: number,
  tooLarge: (c: Context<AppEnv>) => Response,
): MiddlewareHandler<AppEnv> {
  const counting = bodyLimit({ maxSize: maxBytes, onError: tooLarge });
  return async (c, next) => {
    if (bodiless.has(c.req.method)) return next();
    const headers = c.get('headers') ?? c.req.raw.headers;
    const declared = headers.get('content-length');
    if (declared === null || headers.has('transfer-encoding')) return counting(c, next);
    return Number(declared) > maxBytes ? tooLarge(c) : next();
  };
}

/** Returns true if the client disconnected while sending the request body. This is not a server error. */
export const isClientAbort = (error: unknown): boolean =>
  // The error of Node's `abortIncoming`. A reset of the service's own connections has another message.
  error instanceof Error && 'code' in error && error.code === 'ECONNRESET' && error.message === 'aborted';
