/**
 * Fills an empty instance of either kind from a backup file. The whole file is read once to check
 * it before anything is written; then everything is written in one transaction.
 */
import fs from 'node:fs';
import readline from 'node:readline';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import * as z from 'zod/mini';
import { type Database, type Transaction, sql } from '@lanternrock/postgres';
import { readMigrations } from '@lanternrock/postgres/migrations';
import { OperationalError } from '@lanternrock/postgres/errors';
import { toTerminalText } from '../log.ts';
import { excludedTables, listBackupTables, type BackupTable } from './backup-tables.ts';
import type { BackupHeader } from './write-backup.ts';
import { migrationFolders } from '../paths.ts';

/** Rows inserted at once. */
const portion = 500;

/** All of it or nothing. @returns the number of rows restored. @throws OperationalError when file or instance do not fit. */
export async function restoreBackup(database: Database, file: string): Promise<number> {
  const header = await checkFile(file);
  return database.maintenance(async (tx) => {
    const applied = await tx.query<{ name: string }>(sql`select name from platform.migrations`);
    requireSameVersion(
      header,
      applied.map(({ name }) => name),
    );
    const tables = await listBackupTables(tx);
    await checkEmpty(tx, tables);
    for (const { name } of tables) await tx.query(statement(`alter table ${name} disable trigger user`));
    const rows = await fill(tx, tables, file);
    for (const table of tables) {
      await countOn(tx, table);
      await tx.query(statement(`alter table ${table.name} enable trigger user`));
    }
    return rows;
  });
}

const statement = (text: string, values: unknown[] = []) => ({ text, values });

async function* linesOf(file: string): AsyncGenerator<string> {
  const unpacked = createGunzip();
  // A missing or damaged file ends the unpacked stream, and with it the iteration, with its error.
  pipeline(fs.createReadStream(file), unpacked, () => {});
  try {
    yield* readline.createInterface({ input: unpacked, crlfDelay: Number.POSITIVE_INFINITY });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new OperationalError(`There is no file ${file}; nothing was restored.`);
    if (code === 'Z_DATA_ERROR') throw notABackup(file);
    throw new OperationalError(
      `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  } finally {
    // Whoever read no further leaves the file open otherwise.
    unpacked.destroy();
  }
}

/** @throws OperationalError when the file is no complete backup of this version. */
export async function validateBackup(file: string): Promise<void> {
  const header = await checkFile(file);
  requireSameVersion(
    header,
    readMigrations(migrationFolders).map(({ name }) => name),
  );
}

/** @throws OperationalError when a table has rows already. */
export async function requireEmptyDatabase(database: Database): Promise<void> {
  await database.maintenance(async (tx) => checkEmpty(tx, await listBackupTables(tx)));
}

async function checkFile(file: string): Promise<BackupHeader> {
  let header: BackupHeader | null = null;
  let rows = 0;
  let told: number | null = null;
  for await (const line of linesOf(file)) {
    if (header === null) header = readHeader(file, line);
    else if (line.startsWith('. ')) told = Number(line.slice(2));
    else if (!line.startsWith('= ')) rows += 1;
  }
  if (header === null || told !== rows)
    throw new OperationalError(`${file} is not complete; nothing was restored.`);
  return header;
}

const headerShape = z.object({
  format: z.literal('lanternrock-backup'),
  version: z.literal(1),
  migrations: z.array(z.string()),
  at: z.string(),
  keys: z.boolean(),
});

function readHeader(file: string, line: string): BackupHeader {
  try {
    const header = headerShape.safeParse(JSON.parse(line));
    if (header.success) return header.data;
  } catch {
    // Told below.
  }
  throw notABackup(file);
}

const notABackup = (file: string): OperationalError =>
  new OperationalError(`${file} is not a backup of this product; nothing was restored.`);

/** @param here the migrations of this version */
function requireSameVersion({ at, migrations }: BackupHeader, here: readonly string[]): void {
  const differences = [
    ['This version lacks', migrations.filter((name) => !here.includes(name))],
    ['The backup lacks', here.filter((name) => !migrations.includes(name))],
  ] as const;
  const told = differences.flatMap(([words, names]) =>
    names.length === 0 ? [] : [`${words} ${toTerminalText(names.join(', '), 500)}.`],
  );
  if (told.length === 0) return;
  throw new OperationalError(
    `The backup of ${toTerminalText(at)} was made by another version; nothing was restored. ${told.join(' ')} ` +
      'Restore it with that version, then update.',
  );
}

async function checkEmpty(tx: Transaction, tables: readonly BackupTable[]): Promise<void> {
  for (const { name } of tables) {
    const found = await tx.query(statement(`select from ${name} limit 1`));
    if (found.length > 0) {
      throw new OperationalError(
        `This instance is not empty (${name} has rows); restore into a new one. Nothing was changed.`,
      );
    }
  }
}

/** @returns the number of rows that were inserted */
async function fill(tx: Transaction, tables: readonly BackupTable[], file: string): Promise<number> {
  let table: BackupTable | null = null;
  let waiting: string[] = [];
  let inserted = 0;
  const flush = async (): Promise<void> => {
    const rows = waiting;
    waiting = [];
    if (!table || rows.length === 0) return;
    const { name, columns } = table;
    await tx.query(
      statement(
        `insert into ${name} (${columns}) overriding system value
         select ${columns} from jsonb_populate_recordset(null::${name}, $1::jsonb)`,
        [`[${rows.join(',')}]`],
      ),
    );
    inserted += rows.length;
  };
  let first = true;
  for await (const line of linesOf(file)) {
    if (first) {
      first = false;
    } else if (line.startsWith('. ')) {
      await flush();
    } else if (line.startsWith('= ')) {
      await flush();
      table = tableOf(line.slice(2), tables);
    } else {
      waiting.push(line);
      if (waiting.length === portion) await flush();
    }
  }
  return inserted;
}

/** @returns null for a table that earlier backups hold, and that is left out by now. @throws OperationalError */
function tableOf(written: string, tables: readonly BackupTable[]): BackupTable | null {
  // Earlier backups leave the schema out where it went without saying.
  const name = written.includes('.') ? written : `public.${written}`;
  if (excludedTables.includes(name)) return null;
  const table = tables.find((candidate) => candidate.name === name);
  if (!table)
    throw new OperationalError(
      `The backup holds rows of ${toTerminalText(name)}, which is no table of this version.`,
    );
  return table;
}

/** Lets a counting column go on after the highest restored number. */
async function countOn(tx: Transaction, { name, identity }: BackupTable): Promise<void> {
  if (identity === null) return;
  await tx.query(
    statement(
      `select setval(pg_get_serial_sequence($1, $2), greatest((select max(t.id) from ${name} t), 1)) from (select 1) one`,
      [name, identity],
    ),
  );
}
