import path from 'node:path';
import { writeBackup } from '../../backup/write-backup.ts';
import { readArguments, UsageProblem } from '../arguments.ts';
import type { Command } from '../command.ts';

export const backupCommand: Command = {
  name: 'backup',
  usage: 'FILE',
  about: 'Writes all data into one file, also while the service runs.',
  async run({ database }, args, output) {
    const [file] = readArguments(args, {}).positionals;
    if (file === undefined) throw new UsageProblem('Name the file to write.');
    const rows = await writeBackup(database, path.resolve(output.folder, file), new Date());
    output.line(
      `Wrote ${rows} rows. The keys are not inside: keep DATA_DIR/keys or SECRETS_KEY in a safe place too.`,
    );
    return 0;
  },
};
