/** `lanternrock backup verify`: a restore into a scratch database, and the comparison of all tables. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { sql, type Database } from '@lanternrock/postgres';
import { engines, openTestDatabase, type TestDatabase } from '@lanternrock/testing/engines';
import { backupCommand } from '../src/cli/commands/backup.ts';
import { readConfig } from '../src/config/settings.ts';
import { writeBackupFile } from './support/backup-file.ts';
import { rowsOfAllTables } from './support/rows-of-all-tables.ts';
import { runCommand } from './support/run-command.ts';

const opened: TestDatabase[] = [];
const open = async (...args: Parameters<typeof openTestDatabase>): Promise<TestDatabase> => {
  const test = await openTestDatabase(...args);
  opened.push(test);
  return test;
};
afterEach(async () => {
  for (const test of opened.splice(0)) await test.dispose();
});

const scratchDirectories = (): string[] =>
  fs.readdirSync(os.tmpdir()).filter((name) => name.startsWith('lanternrock-verify-'));

const verify = (dataDir: string, ...args: string[]) =>
  runCommand(readConfig({ DATA_DIR: dataDir }), 'backup', 'verify', ...args);

/** Writes a copy of a backup with other lines. */
function changeBackup(file: string, change: (lines: string[]) => readonly string[]): void {
  const lines = gunzipSync(fs.readFileSync(file)).toString().trimEnd().split('\n');
  fs.writeFileSync(file, gzipSync(`${change(lines).join('\n')}\n`));
}

const countUsers = async (database: Database): Promise<unknown> =>
  database.query(sql`select count(*)::int as users from auth.users`);

describe.each(engines)('the verification of a backup (%s)', (engine) => {
  it('restores it, compares all tables and removes the scratch database', { tags: ['OPS-24'] }, async () => {
    const { database, dataDir } = await open(engine);
    await database.transaction((tx) => database.script(tx, rowsOfAllTables));
    const file = path.join(dataDir, 'backup.gz');
    const rows = await writeBackupFile(database.snapshot, file, new Date(0));
    const before = await countUsers(database);
    // The database is open, as in a running service.
    const result = await verify(dataDir, 'backup.gz');
    expect(result).toEqual({
      code: 0,
      lines: [
        expect.stringMatching(
          `^Restored ${rows} rows of 1970-01-01T00:00:00.000Z into a scratch database. Counts and digests of all \\d+ tables match\\.$`,
        ),
      ],
      problems: [],
    });
    const json = await verify(dataDir, file, '--json');
    expect(json).toMatchObject({ code: 0, problems: [] });
    expect(JSON.parse(json.lines.join(''))).toEqual({
      file,
      verified: true,
      at: '1970-01-01T00:00:00.000Z',
      rows,
      tables: expect.any(Number),
      compared: true,
      differences: [],
    });
    expect(await countUsers(database)).toEqual(before);
    expect(scratchDirectories()).toEqual([]);
  });
});

describe('the verification of a damaged backup', () => {
  const [engine = 'embedded'] = engines;
  const writeSmall = async (): Promise<{ dataDir: string; file: string }> => {
    const { database, dataDir } = await open(engine);
    await database.query(sql`insert into auth.users (email) values ('a@example.org'), ('b@example.org')`);
    const file = path.join(dataDir, 'backup.gz');
    await writeBackupFile(database.snapshot, file);
    return { dataDir, file };
  };

  it('reports a changed row, a lost row, a truncated and a missing file', { tags: ['OPS-24'] }, async () => {
    const { dataDir, file } = await writeSmall();
    const original = fs.readFileSync(file);
    const damages = [
      [
        (lines: string[]) => lines.map((line) => line.replace('a@example.org', 'c@example.org')),
        'backup.gz was changed after it was written: auth.users has other content. Nothing was restored.',
      ],
      [
        (lines: string[]) => {
          const users = lines.indexOf('= auth.users');
          return lines.toSpliced(users + 1, 1).toSpliced(-1, 1, `. ${Number(lines.at(-1)?.slice(2)) - 1}`);
        },
        'backup.gz was changed after it was written: auth.users has 1 rows instead of 2. Nothing was restored.',
      ],
      [(lines: string[]) => lines.slice(0, -1), 'backup.gz is incomplete. Nothing was restored.'],
      [
        (lines: string[]) => lines.toSpliced(-2, 1, '# []'),
        'backup.gz is not a backup of this product. Nothing was restored.',
      ],
    ] as const;
    for (const [change, problem] of damages) {
      fs.writeFileSync(file, original);
      changeBackup(file, change);
      expect(await verify(dataDir, 'backup.gz')).toEqual({ code: problem, lines: [], problems: [] });
      const json = await verify(dataDir, 'backup.gz', '--json');
      expect(json.code).toBe(1);
      expect(JSON.parse(json.lines.join(''))).toEqual({ file: 'backup.gz', verified: false, problem });
    }
    fs.writeFileSync(file, original.subarray(0, original.length - 20));
    expect((await verify(dataDir, 'backup.gz')).code).toMatch(/^backup\.gz cannot be read: /);
    expect((await verify(dataDir, 'none.gz')).code).toBe('File none.gz not found. Nothing was restored.');
    expect(scratchDirectories()).toEqual([]);
  });

  it('reports rows that restore differently or not at all', { tags: ['OPS-24'] }, async () => {
    const { dataDir, file } = await writeSmall();
    const original = fs.readFileSync(file);
    const digestOf = (rows: readonly string[]): string =>
      (
        rows.reduce((sum, row) => sum + BigInt(`0x${createHash('sha256').update(row).digest('hex')}`), 0n) %
        (1n << 256n)
      )
        .toString(16)
        .padStart(64, '0');
    /** Changes the first user, and the digest with it. */
    const changeUser =
      (change: (row: string, second: string) => string) =>
      (lines: string[]): string[] => {
        const users = lines.indexOf('= auth.users');
        const second = lines[users + 2] ?? '';
        const first = change(lines[users + 1] ?? '', second);
        const digests = JSON.parse((lines.at(-2) ?? '').slice(2)) as Record<string, object>;
        digests['auth.users'] = { rows: 2, digest: digestOf([first, second]) };
        return lines.with(users + 1, first).toSpliced(-2, 1, `# ${JSON.stringify(digests)}`);
      };
    // A column that does not exist is lost in a restore.
    changeBackup(
      file,
      changeUser((row) => row.replace('{', '{"unknown": 1, ')),
    );
    expect(await verify(dataDir, 'backup.gz')).toEqual({
      code: 1,
      lines: [],
      problems: ['backup.gz does not restore as it was written:', '  auth.users has other content'],
    });
    fs.writeFileSync(file, original);
    changeBackup(
      file,
      changeUser((_, second) => second),
    );
    expect((await verify(dataDir, 'backup.gz')).code).toMatch(
      /^backup\.gz cannot be restored: duplicate key value violates unique constraint "users_pkey"/,
    );
    expect(scratchDirectories()).toEqual([]);
  });

  it('states that a backup without digests was restored only', async () => {
    const { dataDir, file } = await writeSmall();
    changeBackup(file, (lines) => lines.toSpliced(-2, 1));
    expect(await verify(dataDir, 'backup.gz')).toMatchObject({
      code: 0,
      lines: [expect.stringMatching(/ It has no digests, so the restored rows were not compared\.$/)],
    });
  });

  it('rejects wrong arguments', () => {
    for (const [args, message] of [
      [['verify'], 'Missing argument: FILE.'],
      [['verify', 'a', '--force'], '--force has no effect here.'],
      [['a', '--json'], '--json has no effect here.'],
      [['a', 'b'], 'Unexpected argument: b.'],
      [['verify', 'a', 'b'], 'Unexpected argument: b.'],
    ] as const)
      expect(() => backupCommand.parse(args)).toThrow(message);
  });
});
