import type { Context } from 'hono';
import type { Config } from '../config/settings.ts';
import { constantTimeEqual } from './constant-time-equal.ts';

/** Returns true if the request has METRICS_TOKEN as its bearer token; false without the setting. */
export function hasOperatorToken({ METRICS_TOKEN }: Pick<Config, 'METRICS_TOKEN'>, c: Context): boolean {
  const authorization = c.req.header('Authorization') ?? '';
  return METRICS_TOKEN !== '' && constantTimeEqual(authorization, `Bearer ${METRICS_TOKEN}`);
}
