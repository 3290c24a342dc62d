import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { applyMigrations, type Migration } from '@lanternrock/postgres/migrations';
import { readConfig, type Config } from '../src/config/settings.ts';
import { migrationDirectories } from '../src/paths.ts';
import { eachEngine, openTestDatabase, type TestDatabase } from '@lanternrock/testing/engines';
import { runCommand } from './support/run-command.ts';

const toMigration = (name: string, text: string): Migration => ({
  name,
  text,
  checksum: createHash('sha256').update(text).digest('hex'),
});

eachEngine('migrations', (engine) => {
  let test: TestDatabase;
  let applied: Migration[];
  beforeEach(async () => {
    test = await openTestDatabase(engine);
    // Substitutes with the stored checksums. Their text fails, so none may run again.
    applied = (
      await test.database.query<{ name: string; checksum: string }>(
        sql`select name, checksum from platform.migrations order by name`,
      )
    ).map((row) => ({ ...row, text: 'select 1 / 0' }));
  });
  afterEach(async () => test.dispose());

  const tables = async (): Promise<string[]> =>
    (
      await test.database.query<{ name: string }>(
        sql`select relname::text as name from pg_class where relnamespace = 'public'::regnamespace and relname like 'step%' order by 1`,
      )
    ).map(({ name }) => name);
  const countApplied = async (): Promise<number> =>
    (await test.database.query(sql`select from platform.migrations`)).length;

  it('create the seven product relations', async () => {
    const rows = await test.database.query<{ relname: string }>(
      sql`select relname::text from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'v') order by 1`,
    );
    expect(rows.map((row) => row.relname)).toEqual([
      'account_contacts',
      'account_members',
      'accounts',
      'notification_settings',
      'profiles',
      'user_invitations',
      'user_roles',
    ]);
  });

  it('create an index that starts with the column of each foreign key of a table that clients can fill', async () => {
    // A partial index without the null values is enough: a key finds none of them.
    const missing = await test.database.query<{ name: string }>(
      sql`select c.conname::text as name from pg_constraint c
            join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
           where c.contype = 'f' and not exists (
             select from pg_index i where i.indrelid = c.conrelid and i.indkey[0] = c.conkey[1]
               and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) = format('(%I IS NOT NULL)', a.attname)))
           order by 1`,
    );
    // Only deleting a user looks these up: tables of one row, and invitations, which no client can fill.
    expect(missing.map(({ name }) => name)).toEqual([
      'invitations_invited_by_fkey',
      'member_invitations_invited_by_fkey',
      'notification_settings_updated_by_fkey',
      'second_factor_requirement_set_by_fkey',
    ]);
  });

  it('continue without the search index where the extension cannot be created', async () => {
    const file = path.join(migrationDirectories[1].directory, '20261126000013_accounts.sql');
    const [script = ''] = /^do \$\$\n.*?pg_trgm.*?^\$\$;$/ms.exec(fs.readFileSync(file, 'utf8')) ?? [];
    expect(script).toContain('create index accounts_folded_search_idx');
    await test.database.maintenance(async (tx) => {
      await test.database.script(
        tx,
        `drop extension pg_trgm cascade;
         drop schema extensions;
         create role without_create;
         grant without_create to current_user;
         set local role without_create;`,
      );
      await test.database.script(tx, script);
      await test.database.script(tx, 'reset role; drop role without_create');
    });
    const indexes = await test.database.query<{ indexname: string }>(
      sql`select indexname::text from pg_indexes where tablename = 'accounts' and indexdef like '% gin %'`,
    );
    expect(indexes).toEqual([]);
  });

  it('create a profile without the bidirectional control characters of the metadata', async () => {
    await test.database.query(
      sql`insert into auth.users (email, raw_user_meta_data)
            values ('bo@example.org', jsonb_build_object('full_name', 'Bo' || chr(8238) || 'eeL'))`,
    );
    expect(await test.database.query(sql`select full_name from public.profiles`)).toEqual([
      { full_name: 'Bo eeL' },
    ]);
  });

  it('run a file once, also when two replicas start concurrently', { tags: ['OPS-23'] }, async () => {
    const files = [...applied, toMigration('migrations/x1.sql', 'create table public.step1 (id int)')];
    const runs = await Promise.all([
      applyMigrations(test.database, files),
      applyMigrations(test.database, files),
    ]);
    expect(runs.flat()).toEqual(['migrations/x1.sql']);
    expect(await applyMigrations(test.database, files)).toEqual([]);
    expect(await tables()).toEqual(['step1']);
  });

  it(
    'roll back a file that fails or is interrupted, and continue from there',
    { tags: ['REL-22'] },
    async () => {
      const before = await countApplied();
      const broken = toMigration('migrations/x1.sql', 'create table public.step1 (id int); select 1 / 0;');
      await expect(applyMigrations(test.database, [...applied, broken])).rejects.toThrow('division by zero');
      expect([await tables(), await countApplied()]).toEqual([[], before]);
      // Only a Postgres server can end the connection in the middle of a file, as a kill does.
      if (engine === 'postgres') {
        const interrupted = toMigration(
          'migrations/x1.sql',
          'create table public.step1 (id int); select pg_terminate_backend(pg_backend_pid());',
        );
        await expect(applyMigrations(test.database, [...applied, interrupted])).rejects.toThrow('terminat');
        expect([await tables(), await countApplied()]).toEqual([[], before]);
      }
      const fixed = toMigration('migrations/x1.sql', 'create table public.step1 (id int);');
      const next = toMigration('migrations/x2.sql', 'create table public.step2 (id int);');
      expect(await applyMigrations(test.database, [...applied, fixed, next])).toEqual([
        fixed.name,
        next.name,
      ]);
      expect(await tables()).toEqual(['step1', 'step2']);
    },
  );

  describe('are rejected without a change', { tags: ['OPS-23'] }, () => {
    it('on a database of a newer or unreleased version', async () => {
      await test.database.query(sql`insert into platform.migrations values ('migrations/9.sql', 'x')`);
      const before = await countApplied();
      const files = [...applied, toMigration('migrations/x1.sql', 'create table public.step1 (id int)')];
      await expect(applyMigrations(test.database, files)).rejects.toThrow(
        'migrated by a newer or unreleased version (migrations/9.sql)',
      );
      expect([await tables(), await countApplied()]).toEqual([[], before]);
    });

    it('when an applied file was changed', async () => {
      const [first, ...rest] = applied;
      const changed = toMigration(first?.name ?? '', 'something else');
      const files = [
        changed,
        ...rest,
        toMigration('migrations/x1.sql', 'create table public.step1 (id int)'),
      ];
      await expect(applyMigrations(test.database, files)).rejects.toThrow(
        'differs from the one that was applied',
      );
      expect(await tables()).toEqual([]);
    });
  });
});

const SECRETS_KEY = randomBytes(32).toString('base64url');

eachEngine('a command on a stopped instance of another version', (engine) => {
  // An idempotent file represents one of the new version.
  const pendingName = 'platform/0001_roles.sql';
  const pendingWarning = '1 pending migration. Run "lanternrock migrate" or start the service to apply them.';
  const versionError =
    '1 pending migration. Nothing was changed. Write a backup, then run "lanternrock migrate" or start the service to apply them.';
  let test: TestDatabase;
  let config: Config;
  let location: string;
  beforeEach(async () => {
    test = await openTestDatabase(engine);
    await test.database.query(sql`delete from platform.migrations where name = ${pendingName}`);
    config = readConfig({ DATABASE_URL: test.url, SECRETS_KEY, DATA_DIR: test.dataDir });
    location = test.url
      ? `the database ${new URL(test.url).pathname.slice(1)} of DATABASE_URL`
      : config.DATA_DIR;
    // Only one process can open the embedded data directory.
    if (engine === 'embedded') await test.database.close();
  });
  afterEach(async () => {
    if (engine === 'postgres') return test.dispose();
    fs.rmSync(test.dataDir, { recursive: true });
  });

  it(
    'writes a backup of the applied migrations, and warns about the pending one',
    { tags: ['OPS-24'] },
    async () => {
      expect(await runCommand(config, 'backup', 'before-migrate.gz')).toMatchObject({
        code: 0,
        problems: [pendingWarning],
      });
      const [header] = gunzipSync(fs.readFileSync(path.join(config.DATA_DIR, 'before-migrate.gz')))
        .toString()
        .split('\n');
      expect(header).toContain('platform/0002');
      expect(header).not.toContain(pendingName);
    },
  );

  it('rejects an invitation and creates no keys', { tags: ['OPS-23'] }, async () => {
    expect(await runCommand(config, 'invite', 'ann@example.org', '--name', 'Ann Lee')).toMatchObject({
      code: versionError,
      lines: [],
    });
    expect(fs.existsSync(path.join(config.DATA_DIR, 'keys'))).toBe(false);
  });

  it('reports the migrations that it applied', { tags: ['OPS-23'] }, async () => {
    expect(await runCommand(config, 'migrate')).toEqual({
      code: 0,
      lines: [`Applied 1 migration to ${location}: ${pendingName}.`],
      problems: [],
    });
  });

  // Opening the embedded database repeatedly takes long, and the code path is the same.
  if (engine === 'embedded') return;

  const readState = async () => ({
    migrations: await test.database.query(sql`select name from platform.migrations order by 1`),
    secrets: await test.database.query(sql`select from auth.service_secrets`),
  });

  it('applies no migration as a side effect of another command', { tags: ['OPS-23'] }, async () => {
    const before = await readState();
    expect(before.secrets).toEqual([]);
    expect(await runCommand(config, 'status')).toMatchObject({ code: 0, problems: [pendingWarning] });
    for (const [name, ...args] of [
      ['accounts', 'list'],
      ['admins', 'list'],
      ['audit'],
      ['demo'],
      ['keys', 'show'],
    ] as const)
      expect([name, await runCommand(config, name, ...args)]).toEqual([
        name,
        { code: versionError, lines: [], problems: [] },
      ]);
    expect(await readState()).toEqual(before);
  });

  it('changes nothing in a database of a newer version', { tags: ['OPS-23'] }, async () => {
    await test.database.query(sql`insert into platform.migrations values ('migrations/9.sql', 'x')`);
    const before = await readState();
    expect(await runCommand(config, 'status')).toMatchObject({
      code: 0,
      problems: [
        'The database was migrated by a newer or unreleased version (migrations/9.sql). Nothing was changed.',
      ],
    });
    for (const name of ['audit', 'migrate'])
      expect(await runCommand(config, name)).toMatchObject({
        code: 'The database was migrated by a newer or unreleased version (migrations/9.sql). Start that version, or use an empty database.',
        lines: [],
      });
    expect(await readState()).toEqual(before);
  });

  it('rejects the command migrate with MIGRATE=off', { tags: ['OPS-23'] }, async () => {
    const before = await readState();
    const unmanagedConfig = readConfig({ DATABASE_URL: test.url, MIGRATE: 'off', DATA_DIR: test.dataDir });
    expect(await runCommand(unmanagedConfig, 'migrate')).toMatchObject({
      code: 'Not available with MIGRATE=off. Nothing was changed.',
    });
    expect(await readState()).toEqual(before);
  });
});

describe('commands on an empty Postgres database', () => {
  let test: TestDatabase;
  let config: Config;
  beforeEach(async () => {
    test = await openTestDatabase('postgres', null);
    config = readConfig({ DATABASE_URL: test.url, SECRETS_KEY, DATA_DIR: path.join(test.dataDir, 'data') });
  });
  afterEach(async () => test.dispose());

  it('report it and change neither the database nor the directory', async () => {
    for (const command of ['status', 'audit', 'demo'])
      expect(await runCommand(config, command)).toEqual({
        code: 'The database of DATABASE_URL is empty. Run "lanternrock start" or "lanternrock migrate" to create the tables.',
        lines: [],
        problems: [],
      });
    expect(fs.existsSync(config.DATA_DIR)).toBe(false);
    const schemas = await test.database.query(
      sql`select nspname::text from pg_namespace where nspname in ('platform', 'auth', 'private')`,
    );
    expect(schemas).toEqual([]);
  });

  it('create an instance with migrate', async () => {
    expect(await runCommand(config, 'migrate')).toMatchObject({
      code: 0,
      lines: [`Created an instance in the database ${new URL(test.url).pathname.slice(1)} of DATABASE_URL.`],
    });
  });
});
