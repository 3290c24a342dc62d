import fs from 'node:fs';
import path from 'node:path';
import { writeBackup } from '../../backup/write-backup.ts';
import { requireManagedDatabase } from '../../database/schema-version.ts';
import { parseArguments, UsageError } from '../parse-arguments.ts';
import type { Command } from '../command.ts';

export const backupCommand: Command = {
  name: 'backup',
  usage: 'FILE [--force]',
  description: 'Write all data to one file; --force overwrites it.',
  requires: 'database',
  async run({ config, database }, args, output) {
    const { positionals, values } = parseArguments(args, { force: { type: 'boolean' } }, 1);
    requireManagedDatabase(config);
    const [name] = positionals;
    if (name === undefined) throw new UsageError('Missing argument: FILE.');
    const file = path.resolve(output.cwd, name);
    if (fs.statSync(file, { throwIfNoEntry: false })?.isDirectory()) {
      output.printError(`${file} is a directory. Specify a file.`);
      return 1;
    }
    if (fs.existsSync(file) && values.force !== true) {
      output.printError(`${file} already exists. Use --force to overwrite it.`);
      return 1;
    }
    // A standalone command exits on a signal, and `writeBackup` removes the incomplete file. The service handles
    // signals itself.
    const exit = (): void => process.exit(1);
    if (!output.inService) process.once('SIGTERM', exit).once('SIGINT', exit);
    // A standalone command is the only client of the embedded database and needs no snapshot.
    const isOnlyClient = database.engine === 'embedded' && !output.inService;
    const read = isOnlyClient ? database.maintenance : database.snapshot;
    const rows = await writeBackup(read, file, new Date(), values.force === true);
    output.print(
      `Wrote ${rows} rows. Keys are not included: back up DATA_DIR/keys or SECRETS_KEY separately.`,
    );
    return 0;
  },
};
