/** MIGRATE=off with the started process, on a database that another project created and migrates. */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import pg from 'pg';
import { runCommand, startInstance, type Instance } from '../../../../e2e/support/instance.ts';
import { onServer } from '@lanternrock/testing/engines';
import { startPostgres, type PostgresServer } from '@lanternrock/testing/postgres-server';
import { startMailServer } from '../support/mail-server.ts';
import { setUpAdministrator } from './api-client.ts';

let postgres: PostgresServer;
let instance: Instance;
let environment: Record<string, string>;

beforeAll(async () => {
  postgres = await startPostgres();
  // Tables with the names of the product schema and different columns, so that reading one fails.
  await onServer(
    postgres.superuserUrl.replace(/postgres$/, 'lanternrock'),
    `create role anon;
     grant anon to lanternrock_owner;
     set role lanternrock_owner;
     create table public.huts (id int primary key, name text);
     insert into public.huts values (1, 'Monte Rosa');
     grant select on public.huts to anon;
     create schema auth; create schema private; create schema platform;
     create table auth.users (other int); create table auth.sessions (other int);
     create table auth.service_secrets (other int); create table platform.migrations (other int);
     create table private.invitations (other int); create table public.user_roles (other int);
     create table public.accounts (other int);`,
  );
  environment = { DATABASE_URL: postgres.databaseUrl, MIGRATE: 'off' };
  instance = await startInstance({ environment });
});
afterAll(async () => {
  await instance.stop();
  await postgres.stop();
});

const requestStatus = async (path: string, init?: RequestInit): Promise<number> =>
  (await fetch(`${instance.url}${path}`, init)).status;

it('serves only the Data API and logs nothing about administrators or email', async () => {
  // The warning about an unsupported runtime applies to every start.
  const log = instance.log().replace(/^.*"msg":"Node\.js .*$/m, '');
  expect(log).not.toMatch(/administrator|mail|"level":[456]0/i);
  const rows = await fetch(`${instance.url}/rest/v1/huts?select=name`);
  expect([rows.status, await rows.json()]).toEqual([200, [{ name: 'Monte Rosa' }]]);
  expect(await requestStatus('/rest/v1/huts', { method: 'DELETE' })).toBe(401);
  expect(await requestStatus('/ready')).toBe(200);
  for (const path of ['/', '/auth', '/auth/v1/settings', '/functions/v1/send-user-invitation', '/mailbox'])
    expect([path, await requestStatus(path)]).toEqual([path, 404]);
  expect(instance.firstLink).toBe('');
});

it('has commands that report it, and rejects those that need tables of the service', async () => {
  const settings = { ...environment, DATA_DIR: instance.dataDir, SITE_URL: instance.url };
  const status = await runCommand(['status'], settings);
  expect(status.code).toBe(0);
  expect(status.output).toContain('managed elsewhere (MIGRATE=off)');
  const doctor = await runCommand(['doctor'], settings);
  expect(doctor.output).not.toMatch(/administrator|mail|migrations|second factors/i);
  // This Postgres runs without fsync.
  expect(doctor.output.match(/^failed .*/gm)).toEqual([expect.stringContaining('durability')]);
  for (const command of [['migrate'], ['admins', 'list'], ['backup', 'file'], ['start', '--demo']])
    expect([command, await runCommand(command, settings)]).toEqual([
      command,
      { code: 1, output: 'Not available with MIGRATE=off. Nothing was changed.\n' },
    ]);
});

it('accesses only the tables that requests name', async () => {
  await instance.stop();
  const client = new pg.Client(postgres.superuserUrl.replace(/postgres$/, 'lanternrock'));
  await client.connect();
  const read = async (): Promise<string[]> => {
    const { rows } = await client.query<{ relname: string }>(
      'select relname from pg_stat_user_tables where seq_scan + coalesce(idx_scan, 0) > 0 order by 1',
    );
    return rows.map(({ relname }) => relname);
  };
  await expect.poll(read).toContain('huts');
  const { rows } = await client.query<{ count: number }>('select count(*)::int from pg_stat_user_tables');
  expect([await read(), rows]).toEqual([['huts'], [{ count: 8 }]]);
  await client.end();
});

it('leaves the emails of a managed instance on the same database alone', { timeout: 120_000 }, async () => {
  const managedServer = await startPostgres();
  const mailServer = await startMailServer({ kind: 'reject recipient', code: 451 });
  const common = {
    DATABASE_URL: managedServer.databaseUrl,
    SECRETS_KEY: randomBytes(32).toString('base64url'),
  };
  const managed = { ...common, SMTP_URL: mailServer.url };
  const client = new pg.Client(managedServer.superuserUrl.replace(/postgres$/, 'lanternrock'));
  await client.connect();
  const readEmails = async (): Promise<unknown[]> =>
    (await client.query('select * from private.deliveries')).rows;
  try {
    const before = await startInstance({ environment: managed });
    await setUpAdministrator(before);
    await expect.poll(readEmails).toMatchObject([{ status: 'waiting', tries: 1 }]);
    await before.stop();
    await client.query(`update private.deliveries set due_at = now() - interval '1 minute'`);
    const emails = await readEmails();

    const unmanaged = await startInstance({ environment: { ...common, MIGRATE: 'off' } });
    await new Promise((resolve) => setTimeout(resolve, 3000));
    expect(await readEmails()).toEqual(emails);
    expect(fs.existsSync(join(unmanaged.dataDir, 'mailbox'))).toBe(false);
    await unmanaged.stop();

    mailServer.behavior = { kind: 'accept' };
    const after = await startInstance({ environment: managed });
    await mailServer.arrived(1);
    await after.stop();
  } finally {
    await client.end();
    await mailServer.close();
    await managedServer.stop();
  }
});
