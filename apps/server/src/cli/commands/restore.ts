import path from 'node:path';
import { DatabaseUnavailableError, OperationalError } from '@lanternrock/postgres/errors';
import { validateBackup } from '../../backup/read-backup.ts';
import { requireEmptyDatabase, restoreBackup } from '../../backup/restore-backup.ts';
import { checkFactors } from '../../doctor/keys.ts';
import { requireSecretsKey } from '@lanternrock/auth/keys';
import { type Database, sql } from '@lanternrock/postgres';
import { compareKeys } from '../../backup/backup-keys.ts';
import type { BackupHeader } from '../../backup/write-backup.ts';
import type { Config } from '../../config/settings.ts';
import { recordOperation } from '../record-operation.ts';
import { migrateDatabase, describeDatabase } from '../../database/schema-version.ts';
import { createBackupSource } from '../backup-source.ts';
import { parseArguments } from '../parse-arguments.ts';
import { UsageError } from '../usage-error.ts';
import type { Command, CommandIO, DatabaseContext } from '../command.ts';

/**
 * Compares the keys of the instance with those of the backup, before anything is created.
 *
 * @param database null if it has no table of keys
 * @param acceptsNewKeys the option `--new-keys`
 * @returns sentences about the keys that differ or are unknown; null if there are none
 * @throws OperationalError if there are some that are not accepted
 */
async function describeKeys(
  header: BackupHeader,
  { config, database }: { readonly config: Config; readonly database: Database | null },
  acceptsNewKeys: boolean,
): Promise<string | null> {
  const sentences = await compareKeys(header, config, database);
  if (sentences.length === 0) return null;
  const sentence = sentences.join(' ');
  if (acceptsNewKeys) return sentence;
  const copy =
    config.DATABASE_URL === ''
      ? `To keep them, copy the directory keys of the old instance to ${path.join(config.DATA_DIR, 'keys')} first.`
      : 'To keep them, copy them first as in docs/operations.md, "Restore".';
  throw new OperationalError(
    `${sentence} Nothing was restored. ${copy} To restore with new keys, add --new-keys.`,
  );
}

/** Returns null for a database that has no table of keys yet. */
async function withKeys(database: Database): Promise<Database | null> {
  const [row] = await database.query<{ name: string | null }>(
    sql`select to_regclass('auth.service_secrets')::text as name`,
  );
  return row?.name ? database : null;
}

/** Describes the state of the instance after a failed restore, which is one transaction. */
const describeState = (error: unknown, location: string): string =>
  error instanceof DatabaseUnavailableError
    ? `The connection to the database was lost, so ${location} contains the whole backup or none of it. Run the same command again: it restores into an empty instance and fails on any other.`
    : `Nothing was restored, and ${location} contains an empty instance. Fix the following error and run the same command again:`;

export const restoreCommand: Command = {
  name: 'restore',
  usage: 'FILE [--new-keys]',
  description: 'Restore a backup into an empty instance; --new-keys accepts other keys.',
  parse(args) {
    const { positionals, values } = parseArguments(args, { 'new-keys': { type: 'boolean' } }, 1);
    const [name] = positionals;
    if (name === undefined) throw new UsageError('Missing argument: FILE.');
    const acceptsNewKeys = values['new-keys'] ?? false;
    return {
      requires: 'new-database',
      async prepare(files, config) {
        const header = await validateBackup(createBackupSource(name, files));
        requireSecretsKey(config);
        if (config.DATABASE_URL === '')
          await describeKeys(header, { config, database: null }, acceptsNewKeys);
      },
      run: (opened, io) => restore(opened, io, { name, acceptsNewKeys }),
    };
  },
};

interface RestoreArguments {
  readonly name: string;
  readonly acceptsNewKeys: boolean;
}

async function restore(
  opened: DatabaseContext,
  io: CommandIO,
  { name, acceptsNewKeys }: RestoreArguments,
): Promise<number> {
  const { config, database } = opened;
  const file = createBackupSource(name, io.files);
  const header = await validateBackup(file);
  await requireEmptyDatabase(database);
  const newKeys = await describeKeys(header, { config, database: await withKeys(database) }, acceptsNewKeys);
  if (newKeys !== null) io.print(newKeys);
  await migrateDatabase({ ...opened, replacesLost: true });
  const location = await describeDatabase(opened);
  const rows = await restoreBackup(database, file, header, (tx) =>
    recordOperation(tx, io, 'backup_restored', { backup_at: header.at }),
  ).catch((error: unknown) => {
    io.printError(describeState(error, location));
    throw error;
  });
  io.print(`Restored ${rows} rows.`);
  const { message, fix } = await checkFactors(config, database);
  io.print(`Second factors: ${message}.${fix === null ? '' : ` ${fix}`}`);
  return 0;
}
