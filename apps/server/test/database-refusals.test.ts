/** Databases of DATABASE_URL that the service refuses: the reason, the way out, and nothing left behind. */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { onServer, openTestDatabase } from '@lanternrock/testing/engines';
import { openExternal } from '@lanternrock/postgres/external';
import { sql } from '@lanternrock/postgres';
import { readConfig, type Config } from '../src/config/settings.ts';
import { checkDatabase } from '../src/doctor/database.ts';
import { openService } from '../src/service.ts';
import { writeBackupFile } from './support/backup-file.ts';
import { runCommand } from './support/run-command.ts';

const log = pino({ level: 'silent' });
/** Roles of all databases of the server. */
const sharedRoles = 'anon, authenticated, service_role, authenticator, platform_administrator';

let name: string;
let user: string;
let url: URL;
let directory: string;
let counter = 0;

beforeEach(async () => {
  counter += 1;
  name = `refused_${process.pid}_${counter}`;
  user = `${name}_user`;
  directory = fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-refused-'));
  const { superuserUrl } = inject('postgres');
  await onServer(superuserUrl, `create role ${user} login createrole`);
  await onServer(superuserUrl, `create database ${name} owner ${user}`);
  // Since Postgres 16, an owner can only use the roles of another one with this option.
  await onServer(superuserUrl, `grant ${sharedRoles} to ${user} with admin option`);
  url = new URL(superuserUrl);
  url.pathname = `/${name}`;
});

afterEach(async () => {
  const { superuserUrl } = inject('postgres');
  await onServer(superuserUrl, `drop database ${name} with (force)`);
  await onServer(superuserUrl, `drop owned by ${user}`);
  await onServer(superuserUrl, `drop role ${user}`);
  fs.rmSync(directory, { recursive: true, force: true });
});

const asUser = (): string => {
  const own = new URL(url);
  own.username = user;
  return own.href;
};

const SECRETS_KEY = randomBytes(32).toString('base64url');
const configOf = (): Config =>
  readConfig({ DATABASE_URL: asUser(), DATABASE_POOL: '3', SECRETS_KEY, DATA_DIR: directory });

const start = async (): Promise<void> => {
  const service = await openService({ config: configOf(), log });
  await service.close();
};

/** Names of all schemas, tables and functions that do not belong to Postgres, and the rights on the database. */
async function objects(): Promise<unknown[]> {
  const database = await openExternal({
    url: url.href,
    poolSize: 1,
    connectionTimeoutMs: 10_000,
    onConnectionError: () => {},
  });
  const rows = await database.query(
    sql`select nspname::text as name, nspacl::text as acl from pg_namespace where nspname !~ '^pg_'
        union all select relname::text, relacl::text from pg_class where relnamespace > 16383
        union all select extname::text, null from pg_extension order by 1`,
  );
  await database.close();
  return rows;
}

it.each([
  [
    'a user without CREATEROLE',
    () => `alter role ${user} nocreaterole; revoke admin option for ${sharedRoles} from ${user}`,
    /^Cannot apply migrations: .+\. Nothing was changed\. (The user of DATABASE_URL must own the database|.*with admin option)/,
  ],
  [
    'a user that does not own the database',
    () => `alter database ${name} owner to postgres`,
    /Nothing was changed\. The user of DATABASE_URL must own the database and have CREATEROLE/,
  ],
  [
    'a read-only database',
    () => `alter database ${name} set default_transaction_read_only = on`,
    /^The database refuses writes: default_transaction_read_only is on.+Set DATABASE_URL to the primary/,
  ],
  [
    'a user with too few connections',
    () => `alter role ${user} connection limit 4`,
    /^The user \w+ of DATABASE_URL permits 4 connections, but DATABASE_POOL=3 needs 5.+Set DATABASE_POOL to 2 or less/,
  ],
  [
    'a database with too few connections',
    () => `alter database ${name} connection limit 1`,
    /^The database of DATABASE_URL permits 1 connections, but DATABASE_POOL=3 needs 5.+Allow more connections/,
  ],
])('%s is refused, and nothing is left behind', async (_, statement, message) => {
  await onServer(url.href, statement());
  const before = await objects();
  await expect(start()).rejects.toMatchObject({
    name: 'OperationalError',
    message: expect.stringMatching(message),
  });
  await onServer(inject('postgres').superuserUrl, `alter database ${name} reset all`);
  expect(await objects()).toEqual(before);
  // The directory is still free for an embedded database.
  expect(fs.existsSync(path.join(directory, 'external-database'))).toBe(false);
});

it.each([
  'create table public.accounts (id int)',
  'create schema auth; create table auth.users (id int)',
  'create schema private; create table private.audit_log (id int)',
])('the database of another application is refused, and nothing is left behind: %s', async (script) => {
  await onServer(asUser(), script);
  const before = await objects();
  await expect(start()).rejects.toMatchObject({
    name: 'OperationalError',
    message: expect.stringMatching(/^Cannot apply migrations: .+ Nothing was changed\. .*DATABASE_URL/),
  });
  expect(await objects()).toEqual(before);
  await expect(start()).rejects.toThrow('Nothing was changed.');
});

it('an emptied database is not replaced by an empty instance', { tags: ['OPS-25'] }, async () => {
  const source = await openTestDatabase('postgres');
  const backup = path.join(source.dataDir, 'backup.gz');
  await writeBackupFile(source.database.snapshot, backup);
  await start();
  const marker = path.join(directory, 'external-database');
  await onServer(inject('postgres').superuserUrl, `drop database ${name} with (force)`);
  await onServer(inject('postgres').superuserUrl, `create database ${name} owner ${user}`);
  const before = await objects();
  const lost = {
    name: 'OperationalError',
    message: expect.stringContaining(
      `used an external database, but the database ${name} of DATABASE_URL contains no instance. If it is the wrong`,
    ),
  };
  await expect(start()).rejects.toMatchObject(lost);
  const config = configOf();
  // Commands say the same, not that a start creates the tables.
  for (const command of ['migrate', 'status'])
    expect((await runCommand(config, command)).code).toEqual(lost.message);
  const report = await runCommand(config, 'doctor');
  expect(report.code).toBe(1);
  expect(report.lines.join('\n')).toMatch(/migrations +.*used an external database, but the database/);
  expect(await objects()).toEqual(before);
  expect(await runCommand(config, 'restore', backup, '--new-keys')).toMatchObject({ code: 0 });
  await start();
  // For a new instance.
  await onServer(inject('postgres').superuserUrl, `drop database ${name} with (force)`);
  await onServer(inject('postgres').superuserUrl, `create database ${name} owner ${user}`);
  fs.rmSync(marker);
  await start();
  expect(fs.existsSync(marker)).toBe(true);
  await source.dispose();
});

it('a user whose connections are all in use is told about DATABASE_POOL', async () => {
  await onServer(url.href, `alter role ${user} connection limit 0`);
  await expect(start()).rejects.toMatchObject({
    name: 'OperationalError',
    message: expect.stringMatching(/unavailable: too many connections for role .+ Decrease DATABASE_POOL/),
  });
});

it('keeps the connections of reads while the server refuses writes', async () => {
  const { superuserUrl } = inject('postgres');
  await onServer(superuserUrl, `alter database ${name} set default_transaction_read_only = on`);
  const reports: (string | null)[] = [];
  const database = await openExternal({
    url: url.href,
    poolSize: 1,
    connectionTimeoutMs: 10_000,
    onConnectionError: () => {},
    onReadOnly: (reason) => void reports.push(reason),
  });
  await expect(database.requireWritable()).rejects.toMatchObject({ reason: 'read-only' });
  const checks = await checkDatabase(
    database,
    readConfig({ DATABASE_URL: url.href, MIGRATE: 'off' }),
    new Date(),
  );
  expect(checks).toContainEqual(expect.objectContaining({ subject: 'writes', status: 'failed' }));
  const backend = () => database.query(sql`select pg_backend_pid() as pid`);
  const before = await backend();
  // Longer than two intervals of the check.
  await setTimeout(2200);
  expect(await backend()).toEqual(before);
  await onServer(superuserUrl, `alter database ${name} reset default_transaction_read_only`);
  await expect.poll(() => reports, { timeout: 10_000 }).toEqual(['default_transaction_read_only', null]);
  await database.query(sql`create table written ()`);
  await database.close();
});
