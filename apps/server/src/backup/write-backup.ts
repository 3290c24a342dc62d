/**
 * Writes all tables of one snapshot to one compressed file, in the same format for both engines. A row is one line of
 * JSON as Postgres formats it, so that no number loses precision.
 *
 *     {"format":"lanternrock-backup","version":1,"migrations":[...],"at":"...","keys":false}
 *     = auth.users
 *     {"id": ...}
 *     . 17            the number of rows, to detect a truncated file
 */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type Database, type Transaction, sql } from '@lanternrock/postgres';
import { writeNewFile } from '../new-file.ts';
import { listBackupTables } from './backup-tables.ts';

export interface BackupHeader {
  readonly format: 'lanternrock-backup';
  readonly version: 1;
  readonly migrations: readonly string[];
  /** RFC 3339. */
  readonly at: string;
  /** True if the backup contains the keys of the instance. This version writes false. */
  readonly keys: boolean;
}

/** Rows per fetch. */
const batchSize = 500;

/**
 * Writes all tables to a file, which gets its name only when it is complete. Concurrent backups are safe, even with the
 * same file name.
 *
 * @param read `maintenance` if the database has no other client, `snapshot` in a running service
 * @param replace overwrites an existing file; otherwise a file that appears during the backup is kept
 * @returns the number of rows
 * @throws OperationalError if the file cannot be written, or the disk has no space for a copy of the database
 */
export async function writeBackup(
  read: Database['snapshot'],
  file: string,
  now: Date,
  replace = false,
): Promise<number> {
  let rows = 0;
  const onComplete = (count: number): void => {
    rows = count;
  };
  await writeNewFile(file, replace, async (output) =>
    read(async (tx) => {
      const lines = Readable.from(backupLines(tx, now, onComplete));
      await pipeline(lines, createGzip(), output);
    }),
  );
  return rows;
}

async function* backupLines(
  tx: Transaction,
  now: Date,
  onComplete: (rows: number) => void,
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
      const fetched = await tx.query<{ row: string }>({ text: `fetch ${batchSize} from backup`, values: [] });
      rows += fetched.length;
      if (fetched.length > 0) yield `${fetched.map(({ row }) => row).join('\n')}\n`;
      if (fetched.length < batchSize) break;
    }
    await tx.query({ text: 'close backup', values: [] });
  }
  onComplete(rows);
  yield `. ${rows}\n`;
}
