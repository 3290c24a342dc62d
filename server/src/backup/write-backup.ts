/**
 * Writes every table of one snapshot into one compressed file, the same for both engines. Rows are
 * JSON as Postgres printed it, a line each, so that no number is changed on the way.
 *
 *     {"format":"lanternrock-backup","version":1,"migrations":[...],"at":"...","keys":false}
 *     = auth.users
 *     {"id": ...}
 *     . 17            the number of rows, so that a cut file is recognized
 */
import fs from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Database, Transaction } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import { readTables } from './tables.ts';

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

/** @returns the number of rows written. The file appears only when it is complete. */
export async function writeBackup(database: Database, file: string, now: Date): Promise<number> {
  const unfinished = `${file}.unfinished`;
  // What lies there may be somebody else's, who could then read what is written into it.
  fs.rmSync(unfinished, { force: true });
  let rows = 0;
  const counted = (count: number): void => {
    rows = count;
  };
  try {
    await database.maintenance(async (tx) => {
      await tx.query({ text: 'set transaction isolation level repeatable read read only', values: [] });
      const lines = Readable.from(backupLines(tx, now, counted));
      const output = fs.createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true });
      await pipeline(lines, createGzip(), output);
    });
    fs.renameSync(unfinished, file);
    return rows;
  } finally {
    fs.rmSync(unfinished, { force: true });
  }
}

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
  for (const { name } of await readTables(tx)) {
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
