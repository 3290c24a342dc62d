/**
 * What every measurement of the server stands on: a Postgres of its own, the built product on it, an
 * administrator with a token, and accounts. Everything ends with `stop`.
 */
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { loadSource } from './bundle-source.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const entry = path.join(root, 'server/bin/lanternrock.mjs');
const password = 'lantern on the pier 7';

export async function freePort() {
  const listener = net.createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => listener.once('listening', resolve));
  const { port } = listener.address();
  await new Promise((resolve) => listener.close(resolve));
  return port;
}

/** Ends a child process and waits for it. */
export async function end(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}

export async function until(works, limit = 30_000) {
  const start = Date.now();
  while (!(await works().catch(() => false))) {
    if (Date.now() - start > limit) throw new Error('A server did not start');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/**
 * @param environment more settings of the product
 * @returns url and pid of the product, databaseUrl, anonKey, token, userId, `query` as the owner
 */
export async function openStand({ environment = {}, nodeOptions = [] } = {}) {
  const { startPostgres } = await loadSource('server/test/support/postgres-server.ts');
  const postgres = await startPostgres();
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-bench-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [...nodeOptions, entry, 'start'], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      DATA_DIR: dataDir,
      DATABASE_URL: postgres.databaseUrl,
      SECRETS_KEY: randomBytes(32).toString('base64url'),
      PORT: String(port),
      RATE_LIMITS: 'off',
      SIGNUP: 'on',
      AUTOCONFIRM: 'on',
      ...environment,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await until(async () => (await fetch(`${url}/auth`)).ok);
  const anonKey = /"anonKey":"([^"]+)"/.exec(await (await fetch(`${url}/auth`)).text())[1];
  const client = new pg.Client(postgres.databaseUrl);
  await client.connect();
  const query = async (text, values) => (await client.query(text, values)).rows;

  const post = (address, body) =>
    fetch(url + address, {
      method: 'POST',
      headers: { apikey: anonKey, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  const email = 'bench@example.org';
  const signedUp = await (await post('/auth/v1/signup', { email, password })).json();
  const userId = signedUp.user.id;
  await query(`insert into public.user_roles (user_id, role) values ($1, 'platform_admin')`, [userId]);
  return {
    url,
    pid: child.pid,
    dataDir,
    databaseUrl: postgres.databaseUrl,
    superuserUrl: postgres.superuserUrl,
    anonKey,
    email,
    password,
    userId,
    token: signedUp.access_token,
    post,
    query,
    stop: async () => {
      await client.end();
      await end(child);
      await postgres.stop();
      fs.rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Adds accounts up to `count`, a minute apart, and tells the planner about them. */
export async function fillAccounts(stand, count) {
  await stand.query('alter table public.accounts disable trigger user');
  await stand.query(
    `insert into public.accounts (name, slug, account_type, city, state, created_by, created_at)
     select format('Patrol %s %s', n, substr(md5(n::text), 1, 6)), 'patrol-' || n,
       (array['enterprise', 'organization'])[1 + n % 2]::public.account_type, 'Vail', 'CO', $2,
       timestamptz '2026-01-01' + n * interval '1 second'
     from generate_series((select count(*) from public.accounts) + 1, $1::bigint) n`,
    [count, stand.userId],
  );
  await stand.query('alter table public.accounts enable trigger user');
  await stand.query('analyze public.accounts');
}

export const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** The machine on which the numbers were made, and how busy it was with other things. */
export function machine() {
  const release = /PRETTY_NAME="(.*)"/.exec(fs.readFileSync('/etc/os-release', 'utf8'))?.[1] ?? os.type();
  return [
    `${os.cpus()[0].model}, ${os.cpus().length} cores, ${Math.round(os.totalmem() / 2 ** 30)} GiB`,
    `${release}, Node ${process.version}`,
    `load ${os
      .loadavg()
      .map((value) => value.toFixed(1))
      .join(' ')}`,
  ].join('; ');
}

/** Resident memory of a process in MiB. */
export const residentMemory = (pid) =>
  Math.round(Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024);
