/** Restores a backup into an empty database, embedded or external. The file is validated before data is written. */
import { type Database, type Transaction, sql } from '@lanternrock/postgres';
import { OperationalError } from '@lanternrock/postgres/errors';
import { toTerminalText } from '../log.ts';
import { listBackupTables, type BackupTable } from './backup-tables.ts';
import { readLines, requireSameVersion, type BackupSource } from './read-backup.ts';
import type { BackupHeader } from './write-backup.ts';

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

/** @throws OperationalError if a table has rows */
export async function requireEmptyDatabase(database: Database): Promise<void> {
  await database.maintenance(async (tx) => requireEmptyTables(tx, await listBackupTables(tx)));
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
    } else if (line.startsWith('. ') || line.startsWith('# ')) {
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
