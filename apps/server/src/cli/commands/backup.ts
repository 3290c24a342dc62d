import { stateKeys } from '../../backup/backup-keys.ts';
import { writeBackup } from '../../backup/write-backup.ts';
import { requireManagedDatabase } from '../../database/schema-version.ts';
import { toErrorMessage } from '../../errors.ts';
import { toTerminalText } from '../../log.ts';
import { recordOperationNow } from '../audit-origin.ts';
import { isStandardOutput, writeFile } from '../command-files.ts';
import { parseArguments } from '../parse-arguments.ts';
import { UsageError } from '../usage-error.ts';
import type { Command } from '../command.ts';

export const backupCommand: Command = {
  name: 'backup',
  writableFiles: (args) => args,
  usage: 'FILE [--force]',
  description: 'Write all data to one file (- for standard output); --force overwrites it.',
  requires: 'database',
  async run({ config, database }, args, io) {
    const { positionals, values } = parseArguments(args, { force: { type: 'boolean' } }, 1);
    requireManagedDatabase(config);
    const [name] = positionals;
    if (name === undefined) throw new UsageError('Missing argument: FILE.');
    // A standalone command is the only client of the embedded database and needs no snapshot.
    const isOnlyClient = database.engine === 'embedded' && !io.inService;
    const read = isOnlyClient ? database.maintenance : database.snapshot;
    let rows = 0;
    await writeFile(io.files, name, { replace: values.force ?? false, private: true }, async (file) => {
      const recorded = await recordOperationNow(database, io, 'backup_written').then(
        () => null,
        toErrorMessage,
      );
      // A backup must also be possible from a disk that cannot be written.
      if (recorded !== null)
        io.printError(`The audit log has no entry about this backup: ${toTerminalText(recorded)}.`);
      const { fingerprints, problem } = await stateKeys(config, database);
      if (problem !== null) io.printError(toTerminalText(problem, 1000));
      rows = await writeBackup(read, file, new Date(), fingerprints);
    });
    const report = isStandardOutput(name) ? io.printError : io.print;
    report(`Wrote ${rows} rows. Keys are not included: back up DATA_DIR/keys or SECRETS_KEY separately.`);
    return 0;
  },
};
