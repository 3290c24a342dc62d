/** Restores a backup into an empty database, embedded or external. The file is validated before data is written. */
import readline from 'node:readline';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import * as z from 'zod/mini';
import { type Database, type Transaction, sql } from '@lanternrock/postgres';
import { readMigrations } from '@lanternrock/postgres/migrations';
import { OperationalError } from '@lanternrock/postgres/errors';
import { toErrorMessage } from '../errors.ts';
import { toTerminalText } from '../log.ts';
import { listBackupTables, type BackupTable } from './backup-tables.ts';
import type { BackupHeader } from './write-backup.ts';
import { migrationDirectories } from '../paths.ts';

/** A backup that can be read several times. */
export interface BackupSource {
  /** For messages. */
  readonly name: string;
  /** @throws OperationalError if it cannot be read */
  read(): AsyncIterable<Uint8Array>;
}

/** Rows per insert statement. */
const batchSize = 500;

/**
 * Restores all rows in one transaction.
 *
 * @param header of `validateBackup`
 * @param finish runs at the end of the transaction
 * @returns the number of rows
 * @throws OperationalError if the file or the database is not of this version, or the database is not empty
 */
export async function restoreBackup(
  database: Database,
  file: BackupSource,
  header: BackupHeader,
  finish: (tx: Transaction) => Promise<unknown> = async () => {},
): Promise<number> {
  return database.maintenance(async (tx) => {
    const applied = await tx.query<{ name: string }>(sql`select name from platform.migrations`);
    requireSameVersion(
      header,
      applied.map(({ name }) => name),
    );
    const tables = await listBackupTables(tx);
    await requireEmptyTables(tx, tables);
    for (const { name } of tables) await tx.query(statement(`alter table ${name} disable trigger user`));
    // Unlike DELETE, no policy restricts it: entries can otherwise be deleted when they are sealed and old only.
    await tx.query(statement(`truncate ${traceTables.join(', ')}`));
    const rows = await insertRows(tx, tables, file);
    for (const table of tables) {
      await advanceIdentity(tx, table);
      await tx.query(statement(`alter table ${table.name} enable trigger user`));
    }
    await finish(tx);
    return rows;
  });
}

const statement = (text: string, values: unknown[] = []) => ({ text, values });

async function* readLines(file: BackupSource): AsyncGenerator<string> {
  const decompressed = createGunzip();
  // An error of the file also ends the decompressed stream, so the iteration throws it.
  pipeline(Readable.from(file.read()), decompressed, () => {});
  try {
    yield* readline.createInterface({ input: decompressed, crlfDelay: Number.POSITIVE_INFINITY });
  } catch (error) {
    if (error instanceof OperationalError) throw error;
    if ((error as NodeJS.ErrnoException).code === 'Z_DATA_ERROR') throw notABackup(file);
    throw new OperationalError(`${file.name} cannot be read: ${toErrorMessage(error)}`);
  } finally {
    // Closes the file if the caller stops iterating early.
    decompressed.destroy();
  }
}

/**
 * @returns the first line of the backup
 * @throws OperationalError if the file is no complete backup of this version
 */
export async function validateBackup(file: BackupSource): Promise<BackupHeader> {
  const header = await checkFile(file);
  requireSameVersion(
    header,
    readMigrations(migrationDirectories).map(({ name }) => name),
  );
  return header;
}

/** @throws OperationalError if a table has rows */
export async function requireEmptyDatabase(database: Database): Promise<void> {
  await database.maintenance(async (tx) => requireEmptyTables(tx, await listBackupTables(tx)));
}

async function checkFile(file: BackupSource): Promise<BackupHeader> {
  let header: BackupHeader | null = null;
  let rows = 0;
  let expectedRows: number | null = null;
  for await (const line of readLines(file)) {
    if (header === null) header = parseHeader(file, line);
    else if (line.startsWith('. ')) expectedRows = Number(line.slice(2));
    else if (!line.startsWith('= ')) rows += 1;
  }
  if (header === null || expectedRows !== rows)
    throw new OperationalError(`${file.name} is incomplete. Nothing was restored.`);
  return header;
}

const headerShape = z.object({
  format: z.literal('lanternrock-backup'),
  version: z.literal(1),
  migrations: z.array(z.string()),
  at: z.string(),
  keys: z.boolean(),
  fingerprints: z.optional(z.record(z.string(), z.string())),
});

function parseHeader(file: BackupSource, line: string): BackupHeader {
  try {
    const header = headerShape.safeParse(JSON.parse(line));
    if (header.success) return header.data;
  } catch {
    // The line is no JSON; reported below.
  }
  throw notABackup(file);
}

const notABackup = (file: BackupSource): OperationalError =>
  new OperationalError(`${file.name} is not a backup of this product. Nothing was restored.`);

/** @param current the migrations of this version */
function requireSameVersion({ at, migrations }: BackupHeader, current: readonly string[]): void {
  const differences = [
    ['Missing in this version:', migrations.filter((name) => !current.includes(name))],
    ['Missing in the backup:', current.filter((name) => !migrations.includes(name))],
  ] as const;
  const sentences = differences.flatMap(([label, names]) =>
    names.length === 0 ? [] : [`${label} ${toTerminalText(names.join(', '), 500)}.`],
  );
  if (sentences.length === 0) return;
  throw new OperationalError(
    `The backup of ${toTerminalText(at)} was written by another version. Nothing was restored. ${sentences.join(' ')} ` +
      'Restore it with that version, then update.',
  );
}

/**
 * Tables with traces of commands that only show something, such as `keys show` and `backup`: entries of the audit log about
 * operators, and what the service writes about entries. An instance with no other rows is empty; a restore deletes them.
 */
const traceTables: readonly string[] = [
  'private.audit_log',
  'private.audit_seals',
  'private.audit_checkpoints',
  'private.audit_reports',
];

async function requireEmptyTables(tx: Transaction, tables: readonly BackupTable[]): Promise<void> {
  for (const { name } of tables) {
    if (traceTables.includes(name) && name !== 'private.audit_log') continue;
    const condition = name === 'private.audit_log' ? `where table_name <> 'operations'` : '';
    const rows = await tx.query(statement(`select from ${name} ${condition} limit 1`));
    if (rows.length > 0) {
      throw new OperationalError(
        `This instance is not empty (${name} has rows). Restore into a new instance. Nothing was changed.`,
      );
    }
  }
}

/** @returns the number of rows that were inserted */
async function insertRows(
  tx: Transaction,
  tables: readonly BackupTable[],
  file: BackupSource,
): Promise<number> {
  let table: BackupTable | null = null;
  let pending: string[] = [];
  let inserted = 0;
  const flush = async (): Promise<void> => {
    const rows = pending;
    pending = [];
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
  let isHeader = true;
  for await (const line of readLines(file)) {
    if (isHeader) {
      isHeader = false;
    } else if (line.startsWith('. ')) {
      await flush();
    } else if (line.startsWith('= ')) {
      await flush();
      table = findTable(line.slice(2), tables);
    } else {
      pending.push(line);
      if (pending.length === batchSize) await flush();
    }
  }
  return inserted;
}

/** @throws OperationalError if there is no such table */
function findTable(name: string, tables: readonly BackupTable[]): BackupTable {
  const table = tables.find((candidate) => candidate.name === name);
  if (!table)
    throw new OperationalError(
      `The backup contains rows of ${toTerminalText(name)}, which is not a table of this version.`,
    );
  return table;
}

/** Sets the sequence of an identity column to the highest restored value. */
async function advanceIdentity(tx: Transaction, { name, identity }: BackupTable): Promise<void> {
  if (identity === null) return;
  await tx.query(
    statement(
      `select setval(pg_get_serial_sequence($1, $2), greatest((select max(t.id) from ${name} t), 1)) from (select 1) one`,
      [name, identity],
    ),
  );
}
