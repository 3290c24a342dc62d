import path from 'node:path';
import { restoreBackup } from '../../backup/restore-backup.ts';
import { readArguments, UsageProblem } from '../arguments.ts';
import type { Command } from '../command.ts';

export const restoreCommand: Command = {
  name: 'restore',
  usage: 'FILE',
  about: 'Fills an empty instance of either kind from a backup.',
  creates: true,
  async run({ database }, args, output) {
    const [file] = readArguments(args, {}).positionals;
    if (file === undefined) throw new UsageProblem('Name the file to read.');
    const rows = await restoreBackup(database, path.resolve(output.folder, file));
    output.line(`Restored ${rows} rows.`);
    output.line(
      'Second factors open only with the key of the instance that made the backup: its DATA_DIR/keys/secrets.key, or SECRETS_KEY.',
    );
    return 0;
  },
};
