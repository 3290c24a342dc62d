/**
 * `/health` reports that the process runs, without using the database. `/ready` queries the database; a service that is
 * shutting down is not ready.
 */
import { Hono } from 'hono';
import { type Database, sql } from '@lanternrock/postgres';
import type { AppEnv } from './context.ts';

interface Health {
  readonly routes: Hono<AppEnv>;
  startDraining(): void;
}

export function createHealth(database: Database): Health {
  let draining = false;
  const routes = new Hono<AppEnv>()
    .get('/health', (c) => c.json({ status: 'ok' }))
    .get('/ready', async (c) => {
      if (draining) return c.json({ status: 'the service is shutting down' }, 503, { 'Retry-After': '1' });
      try {
        await database.query(sql`select 1`);
        return c.json({ status: 'ready' });
      } catch {
        return c.json({ status: 'the database is unavailable' }, 503, { 'Retry-After': '1' });
      }
    });
  return {
    routes,
    startDraining: () => {
      draining = true;
    },
  };
}
