/** `/health` says that the process is up without touching the database; `/ready` asks the database. */
import { Hono } from 'hono';
import type { AppEnv } from '../app-env.ts';
import type { Database } from '../database/database.ts';
import { sql } from '../database/sql.ts';

export function healthRoutes(database: Database): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .get('/health', (c) => c.json({ status: 'ok' }))
    .get('/ready', async (c) => {
      try {
        await database.query(sql`select 1`);
        return c.json({ status: 'ready' });
      } catch {
        return c.json({ status: 'the database does not answer' }, 503, { 'Retry-After': '1' });
      }
    });
}
