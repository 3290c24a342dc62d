import { stateKeys } from '../../backup/backup-keys.ts';
import { writeBackup } from '../../backup/write-backup.ts';
import { requireManagedDatabase } from '../../database/schema-version.ts';
import { toErrorMessage } from '../../errors.ts';
import { toTerminalText } from '../../log.ts';
import { recordOperationNow } from '../record-operation.ts';
import { isStandardOutput, writeFile } from '../command-files.ts';
import { parseArguments } from '../parse-arguments.ts';
import { UsageError } from '../usage-error.ts';
import { parseVerification } from './backup-verify.ts';
import type { Command, CommandIO, DatabaseContext } from '../command.ts';

const options = { force: { type: 'boolean' }, json: { type: 'boolean' } } as const;

export const backupCommand: Command = {
  name: 'backup',
  usage: 'FILE [--force] | verify FILE [--json]',
  description:
    'Write all data to one file (- for standard output); --force overwrites it. Or prove a backup: restore it into a scratch database and compare all tables.',
  parse(args) {
    const { positionals, values } = parseArguments(args, options, 2);
    const [name, second] = positionals;
    const isVerification = name === 'verify';
    const misplaced = isVerification ? values.force && '--force' : values.json && '--json';
    if (misplaced) throw new UsageError(`${misplaced} has no effect here.`);
    if (isVerification) return parseVerification(second, values.json ?? false);
    if (second !== undefined) throw new UsageError(`Unexpected argument: ${second}.`);
    if (name === undefined) throw new UsageError('Missing argument: FILE.');
    const replace = values.force ?? false;
    return {
      requires: 'database',
      writableFiles: [name],
      run: (context, io) => backUp(context, io, { name, replace }),
    };
  },
};

interface Target {
  /** `-` for standard output. */
  readonly name: string;
  readonly replace: boolean;
}

async function backUp(
  { config, database }: DatabaseContext,
  io: CommandIO,
  { name, replace }: Target,
): Promise<number> {
  requireManagedDatabase(config);
  // A standalone command is the only client of the embedded database and needs no snapshot.
  const isOnlyClient = database.engine === 'embedded' && !io.inService;
  const read = isOnlyClient ? database.maintenance : database.snapshot;
  let rows = 0;
  await writeFile(io.files, name, { replace, private: true }, async (file) => {
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
}
