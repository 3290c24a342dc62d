import path from 'node:path';
import { checkBackup, requireEmpty, restoreBackup } from '../../backup/restore-backup.ts';
import { DatabaseUnavailable } from '../../database/database.ts';
import { checkFactors } from '../../doctor/keys.ts';
import { requireSecretsKey } from '../../keys/secret-store.ts';
import { migrateDatabase, placeOf } from '../../schema-version.ts';
import { readArguments, UsageProblem } from '../arguments.ts';
import type { Command } from '../command.ts';

function fileOf(args: readonly string[], folder: string): string {
  const [file] = readArguments(args, {}, 1).positionals;
  if (file === undefined) throw new UsageProblem('Name the file to read.');
  return path.resolve(folder, file);
}

/** What there is after rows could not be filled in, which is one transaction; the cause follows. */
const whatIsLeft = (error: unknown, place: string): string =>
  error instanceof DatabaseUnavailable
    ? `The database was lost on the way, so ${place} holds the whole backup or none of it. The same command tells: it fills an empty instance and refuses any other.`
    : `Nothing was restored, and ${place} holds an empty instance now. The same command works again when this is mended:`;

export const restoreCommand: Command = {
  name: 'restore',
  usage: 'FILE',
  about: 'Fills an empty instance of either kind from a backup.',
  needs: 'nothing',
  check: async (args, folder, config) => {
    await checkBackup(fileOf(args, folder));
    requireSecretsKey(config);
  },
  async run(opened, args, output) {
    const { config, database } = opened;
    const file = fileOf(args, output.folder);
    await requireEmpty(database);
    await migrateDatabase(opened);
    const place = await placeOf(opened);
    const rows = await restoreBackup(database, file).catch((error: unknown) => {
      output.problem(whatIsLeft(error, place));
      throw error;
    });
    output.line(`Restored ${rows} rows.`);
    const { found, advice } = await checkFactors(config, database);
    output.line(`Second factors: ${found}.${advice === null ? '' : ` ${advice}`}`);
    return 0;
  },
};
