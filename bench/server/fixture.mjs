/**
 * The fixture of server measurements: a separate Postgres server, the built service, an administrator with a
 * token, and accounts. `stop` ends everything.
 */
import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import pg from 'pg';
import { loadSource } from './load-source.mjs';
import { openClient } from '../../scripts/instance-client.mjs';
import { startInstance } from './instance.mjs';

const administratorPassword = 'lantern on the pier 7';
/** Databases that are kept contain keys that this one encrypted. */
const keptSecretsKey = createHash('sha256').update('bench').digest('base64url');

export async function startPostgres() {
  const source = await loadSource('packages/testing/src/postgres-server.ts');
  return source.startPostgres();
}

/**
 * Creates a user with the administrator role.
 *
 * @param instance instance with `SIGNUP` and `AUTOCONFIRM` enabled
 * @param query runs SQL on the database of the instance
 * @returns anonKey, token, userId, email, password, `post` with the publishable key
 */
async function openAdministrator({ url }, query) {
  const { anonKey } = await openClient(url);
  const post = (path, body) =>
    fetch(url + path, {
      method: 'POST',
      headers: { apikey: anonKey, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  const email = 'bench@example.org';
  const credentials = { email, password: administratorPassword };
  const signedUp = await (await post('/auth/v1/signup', credentials)).json();
  const isNew = signedUp.access_token !== undefined;
  const session = isNew
    ? signedUp
    : await (await post('/auth/v1/token?grant_type=password', credentials)).json();
  const userId = session.user.id;
  if (isNew)
    await query(`insert into public.user_roles (user_id, role) values ($1, 'platform_admin')`, [userId]);
  return { anonKey, email, password: administratorPassword, userId, token: session.access_token, post };
}

/**
 * Opens the fixture on Postgres.
 *
 * @param environment additional settings of the instance
 * @param databaseUrl database to keep, which `stop` does not delete; without it a new server is started
 * @returns the results of `startInstance` and `openAdministrator`; databaseUrl, superuserUrl, `query` as the
 * owner, and `settings` for another replica on the same database
 */
export async function openFixture({ environment = {}, nodeOptions = [], databaseUrl } = {}) {
  const postgres = databaseUrl === undefined ? await startPostgres() : { databaseUrl, stop: async () => {} };
  const settings = {
    DATABASE_URL: postgres.databaseUrl,
    SECRETS_KEY: databaseUrl === undefined ? randomBytes(32).toString('base64url') : keptSecretsKey,
    SIGNUP: 'on',
    AUTOCONFIRM: 'on',
    ...environment,
  };
  const instance = await startInstance({ environment: settings, nodeOptions });
  const client = new pg.Client(postgres.databaseUrl);
  await client.connect();
  const query = async (text, values) => (await client.query(text, values)).rows;
  return {
    ...instance,
    ...(await openAdministrator(instance, query)),
    settings,
    databaseUrl: postgres.databaseUrl,
    superuserUrl: postgres.superuserUrl,
    query,
    stop: async () => {
      await client.end();
      await instance.stop();
      await postgres.stop();
    },
  };
}

/** Opens the fixture on the embedded database, which is accessible through requests only. Without `query`. */
export async function openEmbeddedFixture({ environment = {} } = {}) {
  const serviceKey = `sb_secret_${randomBytes(24).toString('base64url')}`;
  const instance = await startInstance({
    environment: { SIGNUP: 'on', AUTOCONFIRM: 'on', SERVICE_ROLE_KEY: serviceKey, ...environment },
  });
  const insert = async (table, body) => {
    const response = await fetch(`${instance.url}/rest/v1/${table}`, {
      method: 'POST',
      headers: {
        apikey: serviceKey,
        Authorization: `Bearer ${serviceKey}`,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(await response.text());
  };
  const administrator = await openAdministrator(instance, (_text, [userId]) =>
    insert('user_roles', { user_id: userId, role: 'platform_admin' }),
  );
  return { ...instance, ...administrator, insert };
}

/** Adds accounts up to `count`, with timestamps one second apart, and analyzes the table. */
export async function fillAccounts(fixture, count) {
  await fixture.query('alter table public.accounts disable trigger user');
  await fixture.query(
    `insert into public.accounts (name, slug, account_type, status, city, state, created_by, created_at, updated_at)
     select format('Patrol %s %s', n, substr(md5(n::text), 1, 6)), 'patrol-' || n,
       (array['enterprise', 'organization'])[1 + n % 2]::public.account_type,
       case when n % 10 = 0 then 'suspended' else 'active' end, 'Vail', 'CO', $2,
       timestamptz '2026-01-01' + n * interval '1 second',
       timestamptz '2026-02-01' + n * 7919 % 1000003 * interval '1 second'
     from generate_series((select count(*) from public.accounts) + 1, $1::bigint) n`,
    [count, fixture.userId],
  );
  await fixture.query('alter table public.accounts enable trigger user');
  await fixture.query('analyze public.accounts');
}

/** The sign-in of the administrator, as options of `load`. */
export const signInRequest = ({ url, anonKey, email, password }) => ({
  url: `${url}/auth/v1/token?grant_type=password`,
  method: 'POST',
  headers: { 'Content-Type': 'application/json', apikey: anonKey },
  body: JSON.stringify({ email, password }),
});

export const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** Describes the machine and its current load, for the results. */
export function describeMachine() {
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
