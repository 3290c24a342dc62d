/** The migrations of each release: they never change, and a database of the release can be upgraded. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Database, sql } from '@lanternrock/postgres';
import { applyMigrations, readMigrations } from '@lanternrock/postgres/migrations';
import { openTestDatabase, eachEngine } from '@lanternrock/testing/engines';
import { expect, it, onTestFinished } from 'vitest';
import { migrationDirectories } from '../src/paths.ts';
import { rowsOfAllTables } from './support/rows-of-all-tables.ts';
import { dumpSchema } from './support/schema-dump.ts';

const directory = fileURLToPath(new URL('../../../db/releases', import.meta.url));

interface Release {
  readonly version: string;
  /** Name of each migration, with its checksum. */
  readonly checksums: ReadonlyMap<string, string>;
}

const releases = fs
  .readdirSync(directory)
  .toSorted()
  .map((file): Release => ({
    version: path.basename(file, '.sha256'),
    checksums: new Map(
      [...fs.readFileSync(path.join(directory, file), 'utf8').matchAll(/^([\da-f]{64})  db\/(\S+)$/gm)].map(
        ([, checksum = '', name = '']) => [name, checksum],
      ),
    ),
  }));

it.each(releases)(
  'the files of $version are unchanged, and all others follow them',
  ({ version, checksums }) => {
    const files = readMigrations(migrationDirectories);
    const changed = [...checksums].filter(
      ([name, checksum]) => files.find((file) => file.name === name)?.checksum !== checksum,
    );
    // A new database applies the files in the order of their names, an existing one only the new files.
    const early = files.filter(
      ({ name }) =>
        !checksums.has(name) &&
        [...checksums.keys()].some((each) => path.dirname(each) === path.dirname(name) && each > name),
    );
    expect([
      ...changed.map(([name]) => `db/${name} belongs to ${version}. Restore it, and add a new file instead.`),
      ...early.map(({ name }) => `The number of db/${name} must be greater than those of ${version}.`),
    ]).toEqual([]);
  },
);

/** Reads all rows of all tables except the list of migrations. */
async function readRows(database: Database): Promise<Map<string, Record<string, unknown>[]>> {
  const tables = await database.query<{ name: string }>(
    sql`select oid::regclass::text as name from pg_class
         where relkind = 'r' and relnamespace::regnamespace::text in ('auth', 'private', 'public') order by 1`,
  );
  const rows = new Map<string, Record<string, unknown>[]>();
  for (const { name } of tables) {
    const found = await database.query<{ row: Record<string, unknown> }>({
      text: `select to_jsonb(t) as row from ${name} t`,
      values: [],
    });
    rows.set(
      name,
      found.map(({ row }) => row),
    );
  }
  return rows;
}

/** The example of docs/guides/field.md. */
const nextMigration = `
  alter table public.accounts
    add column county text not null default '',
    add constraint accounts_county_check check (char_length(county) <= 100 and county !~ '[[:cntrl:]]');
  grant insert (county), update (county) on public.accounts to platform_administrator;`;

eachEngine('a database', (engine) => {
  const open = async (): Promise<Database> => {
    const test = await openTestDatabase(engine, null);
    onTestFinished(test.dispose);
    return test.database;
  };

  it.each(releases)(
    'of $version is upgraded to the schema of a new one and keeps its rows',
    { timeout: 180_000 },
    async ({ checksums }) => {
      const next = fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-next-'));
      onTestFinished(() => fs.rmSync(next, { recursive: true }));
      fs.writeFileSync(path.join(next, '99991231000001_account_county.sql'), nextMigration);
      const files = readMigrations([...migrationDirectories, { label: 'migrations', directory: next }]);
      const released = files.filter(({ name }) => checksums.has(name));

      const database = await open();
      expect(await applyMigrations(database, released)).toHaveLength(checksums.size);
      await database.maintenance((tx) => database.script(tx, rowsOfAllTables));
      const before = await readRows(database);
      expect([...before].filter(([, rows]) => rows.length === 0)).toEqual([]);

      const added = files.filter(({ name }) => !checksums.has(name)).map(({ name }) => name);
      expect(await applyMigrations(database, files)).toEqual(added);
      const after = await readRows(database);
      // Of each row, the columns of the release.
      for (const [table, rows] of before) {
        const columns = Object.keys(rows[0] ?? {});
        const kept = after
          .get(table)
          ?.map((row) => Object.fromEntries(columns.map((name) => [name, row[name]])));
        expect(kept, table).toHaveLength(rows.length);
        expect(kept, table).toEqual(expect.arrayContaining(rows));
      }
      await expect(
        database.query(sql`update public.accounts set county = repeat('x', 101)`),
      ).rejects.toMatchObject({ code: '23514', constraint: 'accounts_county_check' });

      const fresh = await open();
      expect(await applyMigrations(fresh, files)).toHaveLength(files.length);
      expect(await dumpSchema(database)).toBe(await dumpSchema(fresh));
      expect(await applyMigrations(database, files)).toEqual([]);
    },
  );
});
