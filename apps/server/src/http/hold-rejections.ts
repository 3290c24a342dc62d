/**
 * Delays rejections to networks that cause many of them, which slows down clients that send requests one after another.
 * Other responses are never delayed, so users behind the same IP address are not affected.
 */
import { setTimeout } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { MiddlewareHandler } from 'hono';
import type { AppEnv } from './context.ts';
import type { Config } from '../config/settings.ts';
import { toClientNetwork } from '@lanternrock/auth';

/** Statuses of invalid requests. Others, such as 409, also occur in legitimate use. */
const rejections = new Set([400, 401, 403, 404, 405, 413, 414, 415]);
const windowMs = 10_000;
/** Rejections per network and window that are sent immediately. */
const freeRejections = 30;
const holdMs = 1000;
/** Maximum number of concurrently delayed responses. Each occupies a connection. */
const maxHeld = 1000;

/** @param sleep resolves after a number of milliseconds */
export function holdRejections(
  { RATE_LIMITS }: Pick<Config, 'RATE_LIMITS'>,
  sleep: (ms: number) => Promise<void> = (ms) => setTimeout(ms),
): MiddlewareHandler<AppEnv> {
  const windows = new LRUCache<string, { count: number }>({ max: 10_000, ttl: windowMs });
  let held = 0;
  return async (c, next) => {
    await next();
    const { status } = c.res;
    if (!RATE_LIMITS || !rejections.has(status)) return;
    const network = toClientNetwork(c.get('clientIp') ?? '');
    const window = windows.get(network) ?? { count: 0 };
    if (window.count === 0) windows.set(network, window);
    window.count += 1;
    if (window.count <= freeRejections || held >= maxHeld) return;
    held += 1;
    await sleep(holdMs);
    held -= 1;
  };
}
