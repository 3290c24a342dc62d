/**
 * Writes all tables of one snapshot to one compressed file, in the same format for both engines. A row is one line of
 * JSON as Postgres formats it, so that no number loses precision.
 *
 *     {"format":"lanternrock-backup","version":1,"migrations":[...],"at":"...","keys":false}
 *     = auth.users
 *     {"id": ...}
 *     # {"auth.users":{"rows":17,"digest":"..."},...}
 *     . 17            the number of rows, to detect a truncated file
 */
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type Database, type Transaction, sql } from '@lanternrock/postgres';
import { listBackupTables } from './backup-tables.ts';
import { createDigest, readRows, type TableDigest } from './table-digests.ts';

export interface BackupHeader {
  readonly format: 'lanternrock-backup';
  readonly version: 1;
  readonly migrations: readonly string[];
  /** RFC 3339. */
  readonly at: string;
  /** True if the backup contains the keys of the instance. This version writes false. */
  readonly keys: boolean;
  /** Hashes of the keys of the instance by name. Earlier versions do not write them. */
  readonly fingerprints?: Readonly<Record<string, string>> | undefined;
}

/**
 * Writes all tables.
 *
 * @param read `maintenance` if the database has no other client, `snapshot` in a running service
 * @param output is ended with the last row; its error stops the backup
 * @param fingerprints of the keys; undefined if they cannot be read
 * @returns the number of rows
 * @throws OperationalError if the disk has no space for a copy of the database
 */
export async function writeBackup(
  read: Database['snapshot'],
  output: Writable,
  now: Date,
  fingerprints?: BackupHeader['fingerprints'],
): Promise<number> {
  let rows = 0;
  const onComplete = (count: number): void => {
    rows = count;
  };
  await read((tx) =>
    pipeline(Readable.from(backupLines(tx, { now, fingerprints, onComplete })), createGzip(), output),
  );
  return rows;
}

interface BackupParts extends Pick<BackupHeader, 'fingerprints'> {
  readonly now: Date;
  readonly onComplete: (rows: number) => void;
}

async function* backupLines(
  tx: Transaction,
  { now, fingerprints, onComplete }: BackupParts,
): AsyncGenerator<string> {
  const applied = await tx.query<{ name: string }>(sql`select name from platform.migrations order by name`);
  const header: BackupHeader = {
    format: 'lanternrock-backup',
    version: 1,
    migrations: applied.map(({ name }) => name),
    at: now.toISOString(),
    keys: false,
    fingerprints,
  };
  yield `${JSON.stringify(header)}\n`;
  let rows = 0;
  const digests: Record<string, TableDigest> = {};
  for (const table of await listBackupTables(tx)) {
    yield `= ${table.name}\n`;
    const digest = createDigest();
    for await (const batch of readRows(tx, table)) {
      for (const row of batch) digest.add(row);
      yield `${batch.join('\n')}\n`;
    }
    digests[table.name] = digest.result();
    rows += digest.result().rows;
  }
  onComplete(rows);
  yield `# ${JSON.stringify(digests)}\n`;
  yield `. ${rows}\n`;
}
