import path from 'node:path';
import { DatabaseUnavailableError } from '@lanternrock/postgres/errors';
import { validateBackup, requireEmptyDatabase, restoreBackup } from '../../backup/restore-backup.ts';
import { checkFactors } from '../../doctor/keys.ts';
import { requireSecretsKey } from '../../keys/secret-store.ts';
import { migrateDatabase, describeDatabase } from '../../database/schema-version.ts';
import { parseArguments, UsageError } from '../parse-arguments.ts';
import type { Command } from '../command.ts';

function fileOf(args: readonly string[], folder: string): string {
  const [file] = parseArguments(args, {}, 1).positionals;
  if (file === undefined) throw new UsageError('Name the file to read.');
  return path.resolve(folder, file);
}

/** What there is after rows could not be filled in, which is one transaction; the cause follows. */
const whatIsLeft = (error: unknown, place: string): string =>
  error instanceof DatabaseUnavailableError
    ? `The database was lost on the way, so ${place} holds the whole backup or none of it. The same command tells: it fills an empty instance and refuses any other.`
    : `Nothing was restored, and ${place} holds an empty instance now. The same command works again when this is mended:`;

export const restoreCommand: Command = {
  name: 'restore',
  usage: 'FILE',
  description: 'Fills an empty instance of either kind from a backup.',
  requires: 'none',
  validate: async (args, folder, config) => {
    await validateBackup(fileOf(args, folder));
    requireSecretsKey(config);
  },
  async run(opened, args, output) {
    const { config, database } = opened;
    const file = fileOf(args, output.cwd);
    await requireEmptyDatabase(database);
    await migrateDatabase(opened);
    const place = await describeDatabase(opened);
    const rows = await restoreBackup(database, file).catch((error: unknown) => {
      output.printError(whatIsLeft(error, place));
      throw error;
    });
    output.print(`Restored ${rows} rows.`);
    const { message, fix } = await checkFactors(config, database);
    output.print(`Second factors: ${message}.${fix === null ? '' : ` ${fix}`}`);
    return 0;
  },
};
