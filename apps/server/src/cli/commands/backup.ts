import fs from 'node:fs';
import path from 'node:path';
import { writeBackup } from '../../backup/write-backup.ts';
import { requireManagedDatabase } from '../../database/schema-version.ts';
import { parseArguments, UsageError } from '../parse-arguments.ts';
import type { Command } from '../command.ts';

export const backupCommand: Command = {
  name: 'backup',
  usage: 'FILE [--force]',
  description: 'Writes all data into one file, also while the service runs; --force replaces an older file.',
  requires: 'database',
  async run({ config, database }, args, output) {
    const { positionals, values } = parseArguments(args, { force: { type: 'boolean' } }, 1);
    requireManagedDatabase(config);
    const [name] = positionals;
    if (name === undefined) throw new UsageError('Name the file to write.');
    const file = path.resolve(output.cwd, name);
    if (fs.statSync(file, { throwIfNoEntry: false })?.isDirectory()) {
      output.printError(`${file} is a folder; nothing was written. Name a file in it.`);
      return 1;
    }
    if (fs.existsSync(file) && values.force !== true) {
      output.printError(`There is a file ${file} already; nothing was written. --force replaces it.`);
      return 1;
    }
    // The service ends in order by itself; a process of its own ends here, and what it left unfinished goes.
    const end = (): void => process.exit(1);
    if (!output.inService) process.once('SIGTERM', end).once('SIGINT', end);
    // A command that opened the embedded database itself is its only client, and needs no copy of it.
    const isAlone = database.engine === 'embedded' && !output.inService;
    const read = isAlone ? database.maintenance : database.snapshot;
    const rows = await writeBackup(read, file, new Date(), values.force === true);
    output.print(
      `Wrote ${rows} rows. The keys are not inside: keep DATA_DIR/keys or SECRETS_KEY in a safe place too.`,
    );
    return 0;
  },
};
