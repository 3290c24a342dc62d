/**
 * `/health` reports that the process runs, without using the database. `/ready` checks that the database accepts
 * writes; a service that is shutting down is not ready. A starting service does not listen. Only the operator receives the
 * version, which helps an attacker.
 */
import { Hono, type Context } from 'hono';
import type { Database } from '@lanternrock/postgres';
import { DatabaseUnavailableError, retryAfterSeconds } from '@lanternrock/postgres/errors';
import type { Config } from '../config/settings.ts';
import { version } from '../version.ts';
import type { AppEnv } from './context.ts';
import { hasOperatorToken } from './operator-token.ts';

const retryHeaders = { 'Retry-After': String(retryAfterSeconds) };

interface Health {
  readonly routes: Hono<AppEnv>;
  startDraining(): void;
}

export function createHealth(config: Config, database: Database): Health {
  let draining = false;
  let check: Promise<void> | null = null;
  /** Requests need no token and have no rate limit, so those that arrive during a check share it. */
  const requireWritable = (): Promise<void> => {
    check ??= database.requireWritable().finally(() => {
      check = null;
    });
    return check;
  };
  const ready = async (c: Context<AppEnv>): Promise<Response> => {
    if (draining) return c.json({ status: 'the service is shutting down' }, 503, retryHeaders);
    try {
      await requireWritable();
      return c.json({ status: 'ready' });
    } catch (error) {
      const isReadOnly = error instanceof DatabaseUnavailableError && error.reason === 'read-only';
      const status = isReadOnly ? 'the database is read-only' : 'the database is unavailable';
      return c.json({ status }, 503, retryHeaders);
    }
  };
  const routes = new Hono<AppEnv>()
    .get('/health', (c) => c.json({ status: 'ok', ...(hasOperatorToken(config, c) && { version }) }))
    .get('/ready', ready)
    // HAProxy sends this with `option httpchk`.
    .options('/', ready);
  return {
    routes,
    startDraining: () => {
      draining = true;
    },
  };
}
