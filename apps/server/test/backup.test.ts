import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, inject, it, vi } from 'vitest';
import { sql, type Database } from '@lanternrock/postgres';
import { DatabaseUnavailableError, OperationalError } from '@lanternrock/postgres/errors';
import { openExternal } from '@lanternrock/postgres/external';
import { validateBackup, type BackupSource } from '../src/backup/read-backup.ts';
import { restoreBackup } from '../src/backup/restore-backup.ts';
import { recordOperationNow } from '../src/cli/record-operation.ts';
import { backupCommand } from '../src/cli/commands/backup.ts';
import { readConfig } from '../src/config/settings.ts';
import { type Service } from '../src/service.ts';
import { backupFile, writeBackupFile } from './support/backup-file.ts';
import { captureOutput } from './support/command-output.ts';
import { openDataDir, openTestDatabase, type Engine, type TestDatabase } from '@lanternrock/testing/engines';
import { runCommand } from './support/run-command.ts';

const SECRETS_KEY = randomBytes(32).toString('base64url');

const opened: TestDatabase[] = [];
const open = async (engine: Engine): Promise<TestDatabase> => {
  const test = await openTestDatabase(engine);
  opened.push(test);
  return test;
};
afterEach(async () => {
  for (const test of opened.splice(0)) await test.dispose();
});

async function fill(database: Database): Promise<void> {
  await database.query(
    sql`insert into auth.users (id, email, raw_user_meta_data, banned_until)
        values ('00000000-0000-4000-8000-000000000001', 'a@example.org', '{"full_name":"Ann \\n é 🚑"}', 'infinity')`,
  );
  await database.query(
    sql`insert into public.accounts (name, slug, account_type, created_by)
        select 'Account ' || n, 'account-' || n, 'enterprise', '00000000-0000-4000-8000-000000000001'
          from generate_series(1, 1203) n`,
  );
  await database.query(
    sql`insert into public.user_roles (user_id, role) values ('00000000-0000-4000-8000-000000000001', 'platform_admin')`,
  );
}

/** Returns all stored rows as text. */
async function content(database: Database): Promise<unknown> {
  return database.query(
    sql`select (select md5(string_agg(t::text, '|' order by t::text)) from auth.users t) as users,
               (select md5(string_agg(t::text, '|' order by t::text)) from public.accounts t) as accounts,
               (select md5(string_agg(t::text, '|' order by t::text)) from public.profiles t) as profiles,
               (select md5(string_agg(t::text, '|' order by t::text)) from private.audit_log t) as audit`,
  );
}

/** The content after a restore by the command, which adds an entry to the audit log. */
const withEntry = async (database: Database): Promise<unknown> => ({
  ...((await content(database)) as [object])[0],
  audit: expect.any(String),
});

const restore = async (database: Database, file: BackupSource): Promise<number> =>
  restoreBackup(database, file, await validateBackup(file));

describe.each([
  ['embedded', 'postgres'],
  ['postgres', 'embedded'],
  ['embedded', 'embedded'],
] as const)('a backup of the %s engine', (from, to) => {
  it(`restores into an empty instance on ${to}`, { tags: ['X20', 'OPS-24'] }, async () => {
    const source = await open(from);
    await fill(source.database);
    const file = path.join(source.dataDir, 'backup.gz');
    const written = await writeBackupFile(source.database.snapshot, file);
    const target = await open(to);
    // Commands that only show something leave the instance empty.
    await recordOperationNow(target.database, { osUser: '' }, 'keys_shown');
    expect(await restore(target.database, backupFile(file))).toBe(written);
    expect(await content(target.database)).toEqual(await content(source.database));
    // The audit log IDs continue, and triggers are enabled again.
    await target.database.query(sql`update public.accounts set city = 'Vail' where name = 'Account 7'`);
    const [last] = await target.database.query<{ action: string }>(
      sql`select action from private.audit_log order by id desc limit 1`,
    );
    expect(last?.action).toBe('UPDATE');
  });
});

describe.each(['embedded', 'postgres'] as const)('a backup during writes (%s)', (engine) => {
  it('contains whole transactions and blocks no writer', { tags: ['REL-21'] }, async () => {
    const source = await open(engine);
    await fill(source.database);
    const state = { stopped: false, written: 0 };
    // Each transaction inserts rows into two tables. One without the other would show a torn backup.
    const writer = (async () => {
      while (!state.stopped) {
        await source.database.query(sql`
          with other as (insert into auth.users (email) values (${`pair${state.written}@example.org`}))
            insert into public.accounts (name, slug, account_type) values ('Pair', 'pair', 'enterprise')`);
        state.written += 1;
        await pause(10);
      }
    })();
    await expect.poll(() => state.written).toBeGreaterThan(0);
    // On the embedded engine the command runs inside the service, on Postgres in its own process.
    const output = { ...captureOutput(source.dataDir), inService: engine === 'embedded' };
    const service = { config: readConfig({}), database: source.database };
    expect(await backupCommand.parse(['backup.gz']).run(service as Service, output)).toBe(0);
    const after = state.written;
    await expect.poll(() => state.written).toBeGreaterThan(after);
    state.stopped = true;
    await writer;
    const target = await open('postgres');
    await restore(target.database, backupFile(path.join(source.dataDir, 'backup.gz')));
    const [pairs] = await target.database.query<{ one: number; other: number }>(
      sql`select (select count(*)::int from public.accounts where name = 'Pair') as one,
                 (select count(*)::int from auth.users where email like 'pair%') as other`,
    );
    expect(pairs?.one).toBe(pairs?.other);
    expect(pairs?.one).toBeGreaterThan(0);
  });
});

describe.each(['embedded', 'postgres'] as const)('a snapshot (%s)', (engine) => {
  it('allows writes while it is read, and does not contain them', { tags: ['REL-21'] }, async () => {
    const { database, dataDir } = await open(engine);
    await fill(database);
    const count = sql`select count(*)::int as rows from public.accounts`;
    const snapshotRows = await database.snapshot(async (tx) => {
      const before = await tx.query(count);
      await database.query(
        sql`insert into public.accounts (name, slug, account_type) values ('Later', 'later', 'enterprise')`,
      );
      return [before, await tx.query(count)];
    });
    expect(snapshotRows).toEqual([[{ rows: 1203 }], [{ rows: 1203 }]]);
    expect(await database.query(count)).toEqual([{ rows: 1204 }]);
    expect(fs.readdirSync(dataDir).filter((name) => name.startsWith('database.'))).toEqual([]);
  });
});

describe('a snapshot of the embedded engine', () => {
  it('contains a row that changed in a file copied before the pause', { tags: ['REL-21'] }, async () => {
    const { database } = await open('embedded');
    await fill(database);
    // Constant writes change files between the two steps of the copy.
    const state = { stopped: false, number: 0 };
    const writer = (async () => {
      for (; !state.stopped; state.number += 1)
        await database.query(
          sql`update public.accounts set city = ${String(state.number)} where name = 'Account 7'`,
        );
    })();
    for (let round = 0; round < 3; round += 1) {
      const acknowledged = state.number;
      const [row] = await database.snapshot((tx) =>
        tx.query<{ city: string }>(sql`select city from public.accounts where name = 'Account 7'`),
      );
      expect(Number(row?.city ?? 0)).toBeGreaterThanOrEqual(acknowledged - 1);
    }
    state.stopped = true;
    await writer;
  });

  it('requires disk space for a copy and reports the required size', { tags: ['OPS-24'] }, async () => {
    const { database, dataDir } = await open('embedded');
    const statfs = vi.spyOn(fs, 'statfsSync');
    statfs.mockReturnValue({ bavail: 100, blocks: 1000, bsize: 1_048_576 } as fs.StatsFs);
    const file = path.join(dataDir, 'backup.gz');
    await expect(writeBackupFile(database.snapshot, file)).rejects.toThrow(
      /^A backup of the running service needs \d+ MiB in DATA_DIR for a copy of the database; 100 MiB are free\./,
    );
    statfs.mockRestore();
    expect(fs.readdirSync(dataDir).filter((name) => name.startsWith('database.'))).toEqual([]);
    expect(await database.query(sql`select 1 as one`)).toEqual([{ one: 1 }]);
  });

  it('deletes the copy of a killed service and aborts a copy on close', { tags: ['OPS-24'] }, async () => {
    const { database, dataDir } = await open('embedded');
    opened.pop();
    const copyDir = path.join(dataDir, 'database.copy');
    const progress = { started: false };
    const read = database.snapshot(async (tx) => {
      progress.started = true;
      await tx.query(sql`select count(*) from generate_series(1, 9000000000)`);
    });
    const ended = read.catch((error: unknown) => error);
    await expect.poll(() => progress.started, { timeout: 30_000 }).toBe(true);
    expect(fs.existsSync(copyDir)).toBe(true);
    await database.close();
    expect(await ended).toBeInstanceOf(DatabaseUnavailableError);
    expect(fs.existsSync(copyDir)).toBe(false);
    fs.mkdirSync(path.join(copyDir, 'base'), { recursive: true });
    const reopened = await openDataDir(dataDir);
    expect(fs.existsSync(copyDir)).toBe(false);
    await reopened.close();
    fs.rmSync(dataDir, { recursive: true, force: true });
  });
});

it('restores its tables with any search path of the login', { tags: ['OPS-24'] }, async () => {
  const source = await open('postgres');
  await fill(source.database);
  const file = path.join(source.dataDir, 'backup.gz');
  const written = await writeBackupFile(source.database.snapshot, file);
  const target = await open('postgres');
  const url = `${target.url}?options=-c%20search_path%3Dprivate`;
  const otherSearchPath = await openExternal({
    url,
    poolSize: 1,
    connectionTimeoutMs: 10_000,
    onConnectionError: () => {},
  });
  expect(await restore(otherSearchPath, backupFile(file))).toBe(written);
  await otherSearchPath.close();
  expect(await content(target.database)).toEqual(await content(source.database));
});

describe.each(['embedded', 'postgres'] as const)('a restore that fails halfway (%s)', (engine) => {
  it('leaves and reports an empty instance, and succeeds on a retry', { tags: ['OPS-24'] }, async () => {
    const source = await open('postgres');
    await fill(source.database);
    const file = path.join(source.dataDir, 'backup.gz');
    const written = await writeBackupFile(source.database.snapshot, file);
    const target = engine === 'postgres' ? await open(engine) : null;
    const dataDir = target?.dataDir ?? path.join(source.dataDir, 'embedded');
    if (!target) fs.cpSync(inject('embeddedTemplates').product, dataDir, { recursive: true });
    const config = readConfig({ DATABASE_URL: target?.url ?? '', DATA_DIR: dataDir, SECRETS_KEY });
    const lines = gunzipSync(fs.readFileSync(file)).toString().trim().split('\n').slice(0, -2);
    const user = lines[lines.indexOf('= auth.users') + 1] ?? '';
    for (const [added, expectedMessage] of [
      [['= auth.users', user], 'duplicate key value violates unique constraint "users_pkey"'],
      [['= public.elsewhere', '{"id": 1}'], 'The backup contains rows of public.elsewhere, which'],
    ] as const) {
      const bad = path.join(source.dataDir, 'bad.gz');
      fs.writeFileSync(bad, gzipSync([...lines, ...added, `. ${written + 1}`, ''].join('\n')));
      expect(await runCommand(config, 'restore', bad, '--new-keys')).toEqual({
        code: expect.stringContaining(expectedMessage),
        lines: [expect.stringMatching(/^These keys will not be/)],
        problems: [
          expect.stringMatching(
            /^Nothing was restored, and .+ contains an empty instance\. Fix the following error and run the same command again:$/,
          ),
        ],
      });
    }
    expect(await runCommand(config, 'restore', file, '--new-keys')).toMatchObject({
      code: 0,
      lines: [
        expect.stringMatching(/^These keys will not be/),
        `Restored ${written} rows.`,
        'Second factors: no authenticator apps in use.',
      ],
    });
    if (target) expect(await content(target.database)).toEqual([await withEntry(source.database)]);
    else expect((await runCommand(config, 'accounts', 'list')).lines).toHaveLength(100);
  });
});

describe('the backup command', () => {
  it('replaces a file only with --force and leaves no partial file', { tags: ['X20'] }, async () => {
    const { database, dataDir } = await open('embedded');
    const directory = path.join(dataDir, 'backups');
    fs.mkdirSync(directory);
    const [file, output] = [path.join(directory, 'backup.gz'), captureOutput(directory)];
    fs.writeFileSync(file, 'of yesterday');
    const run = async (...args: string[]): Promise<number> =>
      backupCommand
        .parse(args)
        .run({ config: readConfig({ DATA_DIR: dataDir }), database } as Service, output);
    await expect(run('backup.gz')).rejects.toThrow(`${file} already exists. Use --force to overwrite it.`);
    expect(fs.readFileSync(file, 'utf8')).toBe('of yesterday');
    expect(await run('backup.gz', '--force')).toBe(0);
    // The row is the entry of the audit log about the backup.
    expect(await restore((await open('embedded')).database, backupFile(file))).toBe(1);
    expect(fs.readdirSync(directory)).toEqual(['backup.gz']);
    await expect(run('.', '--force')).rejects.toThrow('is a directory. Specify a file.');
  });

  it('keeps one complete file when two backups write it concurrently', { tags: ['X20'] }, async () => {
    const { database, dataDir } = await open('postgres');
    await fill(database);
    const directory = path.join(dataDir, 'backups');
    const output = captureOutput(directory);
    fs.mkdirSync(directory);
    const run = async (...args: string[]): Promise<unknown> =>
      backupCommand
        .parse(args)
        .run({ config: readConfig({ DATA_DIR: dataDir }), database } as Service, output)
        .catch((error: unknown) => (error instanceof OperationalError ? error.message : error));
    const file = path.join(directory, 'twice.gz');
    const existsError = `${file} already exists. Use --force to overwrite it.`;
    const ends = await Promise.all([run('twice.gz'), run('twice.gz')]);
    expect(new Set(ends)).toEqual(new Set([0, existsError]));
    await validateBackup(backupFile(file));
    const inode = fs.statSync(file).ino;
    expect(await Promise.all([run('twice.gz', '--force'), run('twice.gz', '--force')])).toEqual([0, 0]);
    await validateBackup(backupFile(file));
    expect(fs.statSync(file).ino).not.toBe(inode);
    expect(fs.readdirSync(directory)).toEqual(['twice.gz']);
  });

  it('does not open the database for a file that cannot be written', { tags: ['X20'] }, async () => {
    const { database, dataDir } = await open('embedded');
    const before = database.connections().restarts;
    const file = path.join(dataDir, 'no-such-folder', 'backup.gz');
    const service = { config: readConfig({ DATA_DIR: dataDir }), database } as Service;
    await expect(backupCommand.parse([file]).run(service, captureOutput(dataDir))).rejects.toThrow(
      `Cannot write ${file} (ENOENT). The file was not saved.`,
    );
    // An error of the backup itself, as when the disk fills up.
    const full = Object.assign(new Error('write'), { code: 'ENOSPC', syscall: 'write' });
    const failing = database.maintenance(async () => Promise.reject(full));
    await expect(failing).rejects.toBe(full);
    await database.query(sql`select 1`);
    expect(database.connections().restarts).toBe(before);
  });
});

describe('a restore that cannot succeed', () => {
  it('changes nothing for a truncated or other file or a filled instance', { tags: ['OPS-24'] }, async () => {
    const source = await open('embedded');
    await fill(source.database);
    const file = path.join(source.dataDir, 'backup.gz');
    await writeBackupFile(source.database.snapshot, file);
    const cut = path.join(source.dataDir, 'cut.gz');
    fs.writeFileSync(cut, fs.readFileSync(file).subarray(0, 5000));
    const other = path.join(source.dataDir, 'other');
    fs.writeFileSync(other, 'not a backup');
    const before = await content(source.database);
    await expect(restore(source.database, backupFile(cut))).rejects.toThrow(/cannot be read|not complete/);
    await expect(restore(source.database, backupFile(other))).rejects.toThrow('not a backup');
    await expect(restore(source.database, backupFile(path.join(source.dataDir, 'none')))).rejects.toThrow(
      'cannot be read: ENOENT',
    );
    await expect(restore(source.database, backupFile(file))).rejects.toThrow('This instance is not empty');
    expect(await content(source.database)).toEqual(before);
  });

  it('reports a different version of the backup and creates nothing', { tags: ['OPS-24'] }, async () => {
    const { database, dataDir } = await open('postgres');
    await database.query(sql`insert into platform.migrations values ('migrations/9.sql', 'x')`);
    await database.query(sql`delete from platform.migrations where name like 'platform/0001%'`);
    const file = path.join(dataDir, 'backup.gz');
    await writeBackupFile(database.snapshot, file, new Date(0));
    const rowsError =
      'The backup of 1970-01-01T00:00:00.000Z was written by another version. Nothing was restored. ' +
      'Missing in this version: migrations/9.sql. Missing in the backup: platform/0001_roles.sql. ' +
      'Restore it with that version, then update.';
    const fresh = path.join(dataDir, 'fresh');
    expect(await runCommand(readConfig({ DATA_DIR: fresh }), 'restore', file)).toMatchObject({
      code: rowsError,
      lines: [],
    });
    expect(fs.existsSync(fresh)).toBe(false);
    const other = await open('postgres');
    const before = await content(other.database);
    await expect(restore(other.database, backupFile(file))).rejects.toThrow(rowsError);
    expect(await content(other.database)).toEqual(before);
  });

  it('neither migrates nor fills an earlier instance that has rows', { tags: ['OPS-24'] }, async () => {
    const source = await open('postgres');
    const file = path.join(source.dataDir, 'backup.gz');
    await writeBackupFile(source.database.snapshot, file);
    const { database, dataDir, url } = await open('postgres');
    await fill(database);
    await database.query(sql`delete from platform.migrations where name like 'platform/0001%'`);
    const before = await content(database);
    const config = readConfig({ DATABASE_URL: url, DATA_DIR: dataDir, SECRETS_KEY });
    expect((await runCommand(config, 'restore', file)).code).toMatch(/^This instance is not empty \(/);
    // An empty instance without its key is not migrated either.
    const empty = await open('postgres');
    await empty.database.query(sql`delete from platform.migrations where name like 'platform/0001%'`);
    const keyless = readConfig({ DATABASE_URL: empty.url, DATA_DIR: empty.dataDir });
    expect((await runCommand(keyless, 'restore', file)).code).toContain('SECRETS_KEY is required');
    const removed = sql`select from platform.migrations where name like 'platform/0001%'`;
    for (const unchanged of [database, empty.database]) expect(await unchanged.query(removed)).toEqual([]);
    expect(await content(database)).toEqual(before);
  });
});
