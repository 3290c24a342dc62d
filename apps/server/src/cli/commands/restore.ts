import path from 'node:path';
import { DatabaseUnavailableError } from '@lanternrock/postgres/errors';
import { validateBackup, requireEmptyDatabase, restoreBackup } from '../../backup/restore-backup.ts';
import { checkFactors } from '../../doctor/keys.ts';
import { requireSecretsKey } from '@lanternrock/auth/keys';
import { migrateDatabase, describeDatabase } from '../../database/schema-version.ts';
import { parseArguments, UsageError } from '../parse-arguments.ts';
import type { Command } from '../command.ts';

function parseFile(args: readonly string[], cwd: string): string {
  const [file] = parseArguments(args, {}, 1).positionals;
  if (file === undefined) throw new UsageError('Missing argument: FILE.');
  return path.resolve(cwd, file);
}

/** Describes the state of the instance after a failed restore, which is one transaction. */
const describeState = (error: unknown, place: string): string =>
  error instanceof DatabaseUnavailableError
    ? `The connection to the database was lost, so ${place} contains the whole backup or none of it. Run the same command again: it restores into an empty instance and fails on any other.`
    : `Nothing was restored, and ${place} contains an empty instance. Fix the following error and run the same command again:`;

export const restoreCommand: Command = {
  name: 'restore',
  usage: 'FILE',
  description: 'Restore a backup into an empty instance.',
  requires: 'new-database',
  validate: async (args, cwd, config) => {
    await validateBackup(parseFile(args, cwd));
    requireSecretsKey(config);
  },
  async run(opened, args, output) {
    const { config, database } = opened;
    const file = parseFile(args, output.cwd);
    await requireEmptyDatabase(database);
    await migrateDatabase(opened);
    const place = await describeDatabase(opened);
    const rows = await restoreBackup(database, file).catch((error: unknown) => {
      output.printError(describeState(error, place));
      throw error;
    });
    output.print(`Restored ${rows} rows.`);
    const { message, fix } = await checkFactors(config, database);
    output.print(`Second factors: ${message}.${fix === null ? '' : ` ${fix}`}`);
    return 0;
  },
};
