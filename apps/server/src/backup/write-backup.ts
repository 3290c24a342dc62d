/**
 * Writes every table of one snapshot into one compressed file, the same for both engines. Rows are
 * JSON as Postgres printed it, a line each, so that no number is changed on the way.
 *
 *     {"format":"lanternrock-backup","version":1,"migrations":[...],"at":"...","keys":false}
 *     = auth.users
 *     {"id": ...}
 *     . 17            the number of rows, so that a cut file is recognized
 */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { DatabaseUnavailableError, OperationalError } from '@lanternrock/postgres/errors';
import { type Database, type Transaction, sql } from '@lanternrock/postgres';
import { listBackupTables } from './backup-tables.ts';

export interface BackupHeader {
  readonly format: 'lanternrock-backup';
  readonly version: 1;
  readonly migrations: readonly string[];
  /** RFC 3339. */
  readonly at: string;
  /** Whether the keys of the instance are inside. */
  readonly keys: boolean;
}

/** Rows fetched at once. */
const portion = 500;

/**
 * Writes all tables into a file, which appears only when it is complete. Several backups may run at the same time,
 * also to one name.
 * @param read `maintenance` where no other caller waits for the database, `snapshot` in a running service
 * @param replace whether an older file gives way; without it one that appears in the meantime stays
 * @returns the number of rows written
 * @throws OperationalError if the file cannot be written, or the disk has no room for a copy of the database
 */
export async function writeBackup(
  read: Database['snapshot'],
  file: string,
  now: Date,
  replace = false,
): Promise<number> {
  const unfinished = `${file}.${randomUUID()}.unfinished`;
  let rows = 0;
  const counted = (count: number): void => {
    rows = count;
  };
  // Also where a signal ends the process on the way.
  const remove = (): void => fs.rmSync(unfinished, { force: true });
  process.once('exit', remove);
  try {
    // Opened first: who may not write here costs the database nothing.
    const output = await open(unfinished, 'wx', 0o600);
    try {
      await read(async (tx) => {
        const lines = Readable.from(backupLines(tx, now, counted));
        await pipeline(lines, createGzip(), output.createWriteStream({ flush: true }));
      });
    } finally {
      await output.close();
    }
    if (replace) fs.renameSync(unfinished, file);
    else publish(unfinished, file);
    return rows;
  } catch (error) {
    throw ofFiles(error) ? cannotWrite(file, error) : error;
  } finally {
    process.off('exit', remove);
    remove();
  }
}

/** File systems that know no second names, as on memory sticks. */
const noLinks: ReadonlySet<string | undefined> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/** Gives the file its name unless there is one by now. */
function publish(unfinished: string, file: string): void {
  try {
    fs.linkSync(unfinished, file);
  } catch (error) {
    if (!noLinks.has((error as NodeJS.ErrnoException).code)) throw error;
    fs.writeFileSync(file, '', { flag: 'wx', mode: 0o600 });
    fs.renameSync(unfinished, file);
  }
}

/** Errors of the file system name the call that failed; those of the database are of its own classes. */
const ofFiles = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error &&
  !(error instanceof DatabaseUnavailableError) &&
  (error as NodeJS.ErrnoException).syscall !== undefined;

const cannotWrite = (file: string, { code, message }: NodeJS.ErrnoException): OperationalError =>
  new OperationalError(
    code === 'EEXIST'
      ? `${file} already exists. Use --force to overwrite it.`
      : `${file} cannot be written (${code ?? message}); nothing was kept.`,
  );

async function* backupLines(
  tx: Transaction,
  now: Date,
  counted: (rows: number) => void,
): AsyncGenerator<string> {
  const applied = await tx.query<{ name: string }>(sql`select name from platform.migrations order by name`);
  const header: BackupHeader = {
    format: 'lanternrock-backup',
    version: 1,
    migrations: applied.map(({ name }) => name),
    at: now.toISOString(),
    keys: false,
  };
  yield `${JSON.stringify(header)}\n`;
  let rows = 0;
  for (const { name } of await listBackupTables(tx)) {
    yield `= ${name}\n`;
    await tx.query({
      text: `declare backup no scroll cursor for select to_jsonb(t)::text as row from ${name} t`,
      values: [],
    });
    for (;;) {
      const fetched = await tx.query<{ row: string }>({ text: `fetch ${portion} from backup`, values: [] });
      rows += fetched.length;
      if (fetched.length > 0) yield `${fetched.map(({ row }) => row).join('\n')}\n`;
      if (fetched.length < portion) break;
    }
    await tx.query({ text: 'close backup', values: [] });
  }
  counted(rows);
  yield `. ${rows}\n`;
}
