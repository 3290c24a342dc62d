/** Refuses bodies that are larger than an interface takes. */
import type { Context, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { AppEnv } from './context.ts';

const bodiless = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * A length that the head of the request declares is compared and nothing else: Node's parser holds the body to it,
 * while Hono's middleware looks at the body itself, which builds the whole `Request` and its web stream (a fifth of
 * what an insert takes). It counts the bodies that come in chunks.
 * @param most bytes
 */
export function bodySizeLimit(
  most: number,
  tooLarge: (c: Context<AppEnv>) => Response,
): MiddlewareHandler<AppEnv> {
  const counting = bodyLimit({ maxSize: most, onError: tooLarge });
  return async (c, next) => {
    if (bodiless.has(c.req.method)) return next();
    const headers = c.get('headers') ?? c.req.raw.headers;
    const declared = headers.get('content-length');
    if (declared === null || headers.has('transfer-encoding')) return counting(c, next);
    return Number(declared) > most ? tooLarge(c) : next();
  };
}
