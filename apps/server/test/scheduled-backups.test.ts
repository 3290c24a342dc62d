/** Backups by BACKUP_SCHEDULE: times, lease, files and results. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sql, type Database } from '@lanternrock/postgres';
import { eachEngine, openTestDatabase, type TestDatabase } from '@lanternrock/testing/engines';
import { removeOldFiles } from '../src/backup/backup-directory.ts';
import { readBackupState } from '../src/backup/backup-state.ts';
import { noBackupMetrics, readBackupMetrics } from '../src/backup/last-backup.ts';
import { createScheduledBackups, type ScheduledBackups } from '../src/backup/scheduled-backups.ts';
import { statusCommand } from '../src/cli/commands/status.ts';
import { readConfig } from '../src/config/settings.ts';
import { checkBackups } from '../src/doctor/backups.ts';
import type { Service } from '../src/service.ts';
import { captureOutput } from './support/command-output.ts';
import { runCommand } from './support/run-command.ts';

const canMount = process.platform === 'linux' && process.getuid?.() === 0;

eachEngine('scheduled backups', (engine) => {
  let test: TestDatabase;
  let directory: string;
  let now: Date;
  let logs: { msg: string }[];
  let emails: object[];
  beforeEach(async () => {
    test = await openTestDatabase(engine);
    directory = path.join(test.dataDir, 'backups');
    fs.mkdirSync(directory);
    now = new Date('2027-01-01T02:30:00Z');
    logs = [];
    emails = [];
  });
  afterEach(async () => test.dispose());

  const createReplica = (
    settings: Record<string, string> = {},
    snapshot: Database['snapshot'] = test.database.snapshot,
  ): ScheduledBackups =>
    createScheduledBackups({
      config: readConfig({
        DATA_DIR: test.dataDir,
        BACKUP_DIR: directory,
        BACKUP_SCHEDULE: '0 * * * *',
        BACKUP_KEEP: '2',
        ...settings,
      }),
      database: { ...test.database, snapshot },
      log: pino({ level: 'info' }, { write: (line: string) => void logs.push(JSON.parse(line)) }),
      now: async () => now,
      enqueueProblem: async (_, { email }, data) => void emails.push({ email, ...data }),
    });
  const files = (): string[] => fs.readdirSync(directory).sort();
  const messages = (): string[] => logs.map(({ msg }) => msg);
  const entries = async (): Promise<unknown> =>
    test.database.query(
      sql`select action, actor, origin, after from private.audit_log where table_name = 'operations' order by id`,
    );

  it(
    'writes a complete backup at its time, and deletes old ones after it',
    { tags: ['OPS-24'] },
    async () => {
      for (const name of [
        'lanternrock-20260101T000000Z.backup',
        'lanternrock-20260102T000000Z.backup',
        'other.backup',
        'lanternrock-20260103T000000Z.backup.bak',
        'lanternrock-20260104T000000Z.backup.unfinished',
      ])
        fs.writeFileSync(path.join(directory, name), name);
      const before = files();
      const backups = createReplica();
      await backups.runDue();
      now = new Date('2027-01-01T02:59:59Z');
      await backups.runDue();
      expect(files()).toEqual(before);
      now = new Date('2027-01-01T03:00:10Z');
      await backups.runDue();
      await backups.runDue();
      const written = 'lanternrock-20270101T030010Z.backup';
      expect(files()).toEqual([
        'lanternrock-20260102T000000Z.backup',
        'lanternrock-20260103T000000Z.backup.bak',
        written,
        'other.backup',
      ]);
      const file = path.join(directory, written);
      expect(fs.statSync(file).mode & 0o777).toBe(0o600);
      const bytes = fs.statSync(file).size;
      expect(await readBackupState(test.database)).toMatchObject({
        next_at: new Date('2027-01-01T04:00:00Z'),
        lease_until: null,
        tries: 0,
        problem: null,
        completed_at: now,
        file: written,
        bytes: String(bytes),
      });
      expect(await entries()).toEqual([
        { action: 'backup_written', actor: null, origin: 'service', after: { file: written, bytes } },
      ]);
      expect((await runCommand(readConfig({}), 'backup', 'verify', file)).code).toBe(0);
    },
  );

  it('is written by one of several replicas', { tags: ['OPS-24'] }, async () => {
    const replicas = [createReplica(), createReplica(), createReplica()];
    await Promise.all(replicas.map((replica) => replica.runDue()));
    now = new Date('2027-01-01T03:00:00Z');
    await Promise.all(replicas.map((replica) => replica.runDue()));
    expect(files()).toEqual(['lanternrock-20270101T030000Z.backup']);
    expect(messages().filter((message) => message === 'backup written')).toHaveLength(1);
  });

  it('skips and logs a time at which the previous backup still runs', { tags: ['OPS-24'] }, async () => {
    const backups = createReplica({}, async (work) => {
      const result = await test.database.snapshot(work);
      now = new Date('2027-01-01T04:30:00Z');
      return result;
    });
    await backups.runDue();
    now = new Date('2027-01-01T03:00:00Z');
    await backups.runDue();
    expect(messages()).toContain('backup skipped because the previous one was still running');
    await backups.runDue();
    expect(files()).toEqual(['lanternrock-20270101T030000Z.backup']);
    expect((await readBackupState(test.database))?.next_at).toEqual(new Date('2027-01-01T05:00:00Z'));
  });

  it(
    'keeps the earlier files when a backup fails, and writes the next one',
    { tags: ['OPS-24'] },
    async () => {
      const backups = createReplica({ BACKUP_KEEP: '1' });
      await backups.runDue();
      now = new Date('2027-01-01T03:00:00Z');
      await backups.runDue();
      const kept = files();
      expect(kept).toHaveLength(1);
      const moved = `${directory}.moved`;
      fs.renameSync(directory, moved);
      now = new Date('2027-01-01T04:00:00Z');
      await backups.runDue();
      expect(fs.existsSync(directory)).toBe(false);
      fs.renameSync(moved, directory);
      expect(files()).toEqual(kept);
      const state = await readBackupState(test.database);
      expect(state).toMatchObject({
        problem: expect.stringMatching(/^ENOENT: no such file or directory/),
        completed_at: new Date('2027-01-01T03:00:00Z'),
        file: kept[0],
        next_at: new Date('2027-01-01T05:00:00Z'),
        lease_until: null,
      });
      expect(await entries()).toEqual([
        expect.objectContaining({ action: 'backup_written' }),
        { action: 'backup_failed', actor: null, origin: 'service', after: { problem: state?.problem } },
      ]);
      now = new Date('2027-01-01T05:00:00Z');
      await backups.runDue();
      expect(files()).toEqual(['lanternrock-20270101T050000Z.backup']);
      expect(await readBackupState(test.database)).toMatchObject({ problem: null, completed_at: now });
    },
  );

  it('leaves no partial file when the disk fills up', { tags: ['OPS-24'] }, async () => {
    await test.database.query(
      sql`insert into auth.users (email) select 'user' || n || '@example.org' from generate_series(1, 3000) n`,
    );
    const earlier = 'lanternrock-20260101T000000Z.backup';
    fs.writeFileSync(path.join(directory, earlier), '');
    let unfinished: readonly string[] = [];
    const backups = createReplica({ BACKUP_KEEP: '1' }, (work) =>
      test.database.snapshot(async (tx) => {
        let fetches = 0;
        const query: typeof tx.query = async (statement) => {
          fetches += Number(statement.text.startsWith('fetch'));
          if (fetches > 30) {
            unfinished = files();
            throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
          }
          return tx.query(statement);
        };
        return work({ query });
      }),
    );
    await backups.runDue();
    now = new Date('2027-01-01T03:00:00Z');
    await backups.runDue();
    expect(unfinished).toEqual([earlier, 'lanternrock-20270101T030000Z.backup.unfinished']);
    expect(files()).toEqual([earlier]);
    expect((await readBackupState(test.database))?.problem).toBe('ENOSPC: no space left on device, write');
  });

  it('leaves no partial file on a full disk', { tags: ['OPS-24'] }, async ({ skip }) => {
    skip(!canMount, 'needs root on Linux to mount a small file system');
    const earlier = 'lanternrock-20260101T000000Z.backup';
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k,mode=700', 'tmpfs', directory]);
    try {
      fs.writeFileSync(path.join(directory, earlier), 'earlier');
      // IDs and hashes are hardly compressed.
      await test.database.query(
        sql`insert into auth.users (email, encrypted_password)
              select 'user' || n || '@example.org', md5(n::text) || md5((-n)::text) from generate_series(1, 2000) n`,
      );
      const backups = createReplica({ BACKUP_KEEP: '1' });
      await backups.runDue();
      now = new Date('2027-01-01T03:00:00Z');
      await backups.runDue();
      expect(files()).toEqual([earlier]);
      expect((await readBackupState(test.database))?.problem).toMatch(/^ENOSPC: no space left on device/);
    } finally {
      execFileSync('umount', ['-l', directory]);
    }
  });

  it('reports nothing about a backup that a shutdown aborts, and repeats it at the next start', async () => {
    const stopping = createReplica({}, async () => {
      stopping.stop();
      throw new Error('The database is closed');
    });
    await stopping.runDue();
    now = new Date('2027-01-01T03:00:00Z');
    await stopping.runDue();
    expect(files()).toEqual([]);
    expect(await readBackupState(test.database)).toMatchObject({
      problem: null,
      tries: 0,
      lease_until: null,
    });
    expect(await entries()).toEqual([]);
    await createReplica().runDue();
    expect(files()).toEqual(['lanternrock-20270101T030000Z.backup']);
  });

  it('repeats the backup of a killed process three times', { tags: ['OPS-24'] }, async () => {
    const backups = createReplica();
    await backups.runDue();
    const kill = async (tries: number): Promise<void> =>
      void (await test.database.query(
        sql`update private.backup_state set tries = ${tries}, lease_id = gen_random_uuid(),
              lease_until = ${new Date(now.getTime() + 60_000)}`,
      ));
    now = new Date('2027-01-01T03:00:00Z');
    await kill(3);
    await backups.runDue();
    expect(files()).toEqual([]);
    now = new Date('2027-01-01T03:01:00Z');
    await backups.runDue();
    expect(files()).toEqual([]);
    expect((await readBackupState(test.database))?.problem).toBe(
      'The process ended during each of 3 attempts',
    );
    now = new Date('2027-01-01T04:00:00Z');
    await kill(2);
    now = new Date('2027-01-01T04:01:00Z');
    await backups.runDue();
    expect(files()).toEqual(['lanternrock-20270101T040100Z.backup']);
  });

  it('emails the administrators about a failed and an overdue backup, once a day', async () => {
    await test.database.query(sql`with u as (
      insert into auth.users (email, email_confirmed_at) values ('ann@example.org', now()), ('bo@example.org', now()) returning id, email)
      insert into public.user_roles (user_id, role) select id, 'platform_admin' from u where email like 'ann%'`);
    const backups = createReplica();
    await backups.runDue();
    now = new Date('2027-01-01T03:00:00Z');
    await backups.runDue();
    await backups.reportOverdue();
    expect(emails).toEqual([]);
    fs.renameSync(directory, `${directory}.moved`);
    for (const hour of [4, 5, 6]) {
      now = new Date(`2027-01-01T0${hour}:00:00Z`);
      await backups.runDue();
    }
    const failure = {
      email: 'ann@example.org',
      at: '2027-01-01T04:00:00.000Z',
      problem: expect.stringMatching(/^ENOENT: /),
      lastAt: '2027-01-01T03:00:00.000Z',
    };
    expect(emails).toEqual([failure]);
    // No replica runs until the next day, or its backup does not end.
    now = new Date('2027-01-02T04:00:00Z');
    await backups.reportOverdue();
    await backups.reportOverdue();
    expect(emails).toEqual([failure, { ...failure, at: '2027-01-01T07:00:00.000Z', problem: '' }]);
    await createReplica({ BACKUP_SCHEDULE: '', BACKUP_DIR: '' }).reportOverdue();
    expect(emails).toHaveLength(2);
  });

  it('shows the last backup in status, doctor and metrics', async () => {
    const { database } = test;
    const config = readConfig({
      DATA_DIR: test.dataDir,
      BACKUP_DIR: directory,
      BACKUP_SCHEDULE: '0 * * * *',
    });
    // The commands read the time of the database.
    const [clock] = await database.query<{ now: Date }>(sql`select now() as now`);
    const started = clock?.now ?? now;
    const hour = 3_600_000;
    const check = async (): Promise<readonly string[]> =>
      (await checkBackups(config, database)).map(({ status, message }) => `${status}: ${message}`);
    const statusLine = async (): Promise<string | undefined> => {
      const output = captureOutput(test.dataDir);
      await statusCommand.parse([]).run({ config, database } as Service, output);
      return output.lines.find((line) => line.startsWith('backup '));
    };
    expect(await check()).toEqual(['ok: none yet; the service computes the first time at its start']);
    expect(await readBackupMetrics(database, started)).toEqual(noBackupMetrics);
    const backups = createReplica();
    now = new Date(started.getTime() - hour);
    await backups.runDue();
    now = started;
    await backups.runDue();
    const [file = ''] = files();
    const complete = `last complete ${started.toISOString()}, 1 MiB, ${file}`;
    expect(await check()).toEqual([expect.stringContaining(`ok: ${complete}; next `)]);
    expect(await statusLine()).toContain(`backup           ${complete}; next `);
    const bytes = fs.statSync(path.join(directory, file)).size;
    expect(await readBackupMetrics(database, new Date(started.getTime() + 60_000))).toEqual({
      ageSeconds: 60,
      bytes,
      failed: 0,
    });
    await database.query(
      sql`update private.backup_state set problem = 'ENOSPC: no space', finished_at = ${started}`,
    );
    fs.renameSync(directory, `${directory}.moved`);
    expect(await check()).toEqual([
      expect.stringContaining(
        `failed: failed ${started.toISOString()}: ENOSPC: no space; ${complete}; next `,
      ),
      `failed: BACKUP_DIR ${directory} is not a directory that can be read and written`,
    ]);
    expect((await readBackupMetrics(database, started)).failed).toBe(1);
    const due = new Date(started.getTime() - 2 * hour);
    await database.query(sql`update private.backup_state set problem = null, next_at = ${due}`);
    fs.renameSync(`${directory}.moved`, directory);
    expect(await check()).toEqual([`warning: overdue since ${due.toISOString()}; ${complete}`]);
    expect((await readBackupMetrics(database, started)).failed).toBe(1);
    expect(await checkBackups({ ...config, BACKUP_SCHEDULE: '' }, database)).toEqual([]);
    // A database of an earlier version.
    await database.query(sql`drop table private.backup_state`);
    expect(await statusLine()).toContain('none yet');
  });

  it('follows a changed schedule from now on, and does nothing without one', async () => {
    await createReplica().runDue();
    now = new Date('2027-01-01T05:00:00Z');
    await createReplica({ BACKUP_SCHEDULE: '@daily' }).runDue();
    await createReplica({ BACKUP_SCHEDULE: '', BACKUP_DIR: '' }).runDue();
    expect(files()).toEqual([]);
    expect((await readBackupState(test.database))?.next_at).toEqual(new Date('2027-01-02T00:00:00Z'));
  });
});

it('deletes only the oldest files with names of the service', async () => {
  const test = await openTestDatabase('postgres');
  const directory = path.join(test.dataDir, 'backups');
  fs.mkdirSync(directory);
  const names = [
    'lanternrock-20270103T000000Z.backup',
    'lanternrock-20270101T000000Z.backup',
    'lanternrock-20270102T000000Z.backup',
    'a.backup',
    'lanternrock-1.backup',
  ];
  for (const name of names) fs.writeFileSync(path.join(directory, name), '');
  expect(await removeOldFiles(directory, 3)).toEqual([]);
  expect(await removeOldFiles(directory, 1)).toEqual([
    'lanternrock-20270101T000000Z.backup',
    'lanternrock-20270102T000000Z.backup',
  ]);
  expect(fs.readdirSync(directory).sort()).toEqual([
    'a.backup',
    'lanternrock-1.backup',
    'lanternrock-20270103T000000Z.backup',
  ]);
  await test.dispose();
});
