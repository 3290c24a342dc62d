import path from 'node:path';
import { checkBackup, restoreBackup } from '../../backup/restore-backup.ts';
import { readArguments, UsageProblem } from '../arguments.ts';
import type { Command } from '../command.ts';

function fileOf(args: readonly string[], folder: string): string {
  const [file] = readArguments(args, {}, 1).positionals;
  if (file === undefined) throw new UsageProblem('Name the file to read.');
  return path.resolve(folder, file);
}

export const restoreCommand: Command = {
  name: 'restore',
  usage: 'FILE',
  about: 'Fills an empty instance of either kind from a backup.',
  needs: 'nothing',
  check: async (args, folder) => checkBackup(fileOf(args, folder)),
  async run({ database }, args, output) {
    const rows = await restoreBackup(database, fileOf(args, output.folder));
    output.line(`Restored ${rows} rows.`);
    output.line(
      'Second factors open only with the key of the instance that made the backup: its DATA_DIR/keys/secrets.key, or SECRETS_KEY.',
    );
    return 0;
  },
};
