/**
 * What measurements of the server stand on: a Postgres of its own, the built product on it, an
 * administrator with a token, and accounts. Everything ends with `stop`.
 */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import pg from 'pg';
import { loadSource } from './load-source.mjs';
import { anonKeyOf, startProduct } from './instance.mjs';

const password = 'lantern on the pier 7';

export async function startPostgres() {
  const source = await loadSource('apps/server/test/support/postgres-server.ts');
  return source.startPostgres();
}

/**
 * Makes a user with the role of an administrator.
 * @param product with `SIGNUP` and `AUTOCONFIRM` on
 * @param query on the product's database
 * @returns anonKey, token, userId, email, password, `post` with the public key
 */
async function openAdministrator({ url }, query) {
  const anonKey = await anonKeyOf(url);
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
  return { anonKey, email, password, userId, token: signedUp.access_token, post };
}

/**
 * @param environment more settings of the product
 * @returns what `startProduct` and `openAdministrator` return; databaseUrl, superuserUrl, `query` as the owner,
 * and `settings`, with which another copy runs on the same database
 */
export async function openFixture({ environment = {}, nodeOptions = [] } = {}) {
  const postgres = await startPostgres();
  const settings = {
    DATABASE_URL: postgres.databaseUrl,
    SECRETS_KEY: randomBytes(32).toString('base64url'),
    SIGNUP: 'on',
    AUTOCONFIRM: 'on',
    ...environment,
  };
  const product = await startProduct({ environment: settings, nodeOptions });
  const client = new pg.Client(postgres.databaseUrl);
  await client.connect();
  const query = async (text, values) => (await client.query(text, values)).rows;
  return {
    ...product,
    ...(await openAdministrator(product, query)),
    settings,
    databaseUrl: postgres.databaseUrl,
    superuserUrl: postgres.superuserUrl,
    query,
    stop: async () => {
      await client.end();
      await product.stop();
      await postgres.stop();
    },
  };
}

/** The same on the embedded database, where only requests reach the tables. `query` is absent. */
export async function openEmbeddedStand({ environment = {} } = {}) {
  const serviceKey = `sb_secret_${randomBytes(24).toString('base64url')}`;
  const product = await startProduct({
    environment: { SIGNUP: 'on', AUTOCONFIRM: 'on', SERVICE_ROLE_KEY: serviceKey, ...environment },
  });
  const insert = async (table, body) => {
    const response = await fetch(`${product.url}/rest/v1/${table}`, {
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
  const administrator = await openAdministrator(product, (_text, [userId]) =>
    insert('user_roles', { user_id: userId, role: 'platform_admin' }),
  );
  return { ...product, ...administrator, insert };
}

/** Adds accounts up to `count`, a second apart, and tells the planner about them. */
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

/** The administrator's sign-in, as `load` sends it. */
export const signInRequest = ({ url, anonKey, email, password }) => ({
  url: `${url}/auth/v1/token?grant_type=password`,
  method: 'POST',
  headers: { 'Content-Type': 'application/json', apikey: anonKey },
  body: JSON.stringify({ email, password }),
});

export const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** The machine on which the numbers were made, and how busy it was with other things. */
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
