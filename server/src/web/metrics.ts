/** `/metrics` in Prometheus' text format; loopback only unless METRICS_TOKEN is set. */
import { timingSafeEqual } from 'node:crypto';
import { Hono } from 'hono';
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { AppEnv } from '../app-env.ts';
import type { Config } from '../config.ts';
import { atThisMachine } from './at-this-machine.ts';

export function createRegistry(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}

export function metricsRoutes(config: Config, registry: Registry): Hono<AppEnv> {
  const expected = Buffer.from(`Bearer ${config.METRICS_TOKEN}`);
  return new Hono<AppEnv>().get('/metrics', async (c) => {
    const given = Buffer.from(c.req.header('Authorization') ?? '');
    const allowed = config.METRICS_TOKEN
      ? given.length === expected.length && timingSafeEqual(given, expected)
      : atThisMachine(c);
    if (!allowed) return c.json({ code: 'not_found', message: 'There is nothing at this address' }, 404);
    return c.body(await registry.metrics(), 200, { 'Content-Type': registry.contentType });
  });
}
