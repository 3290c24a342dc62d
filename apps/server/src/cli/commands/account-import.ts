/** `accounts import`: creates and changes the accounts of a CSV file. */
import {
  createRepeatCheck,
  type BrokenRow,
  type ImportOutcome,
  type ImportResult,
  type ImportRow,
} from '@lanternrock/contract/account-import';
import { formatCount } from '@lanternrock/contract/format-count';
import type { Database } from '@lanternrock/postgres';
import { importAccounts } from '../../accounts/import-accounts.ts';
import { formatCsvHeader, csvLines } from '../../csv.ts';
import { toTerminalText } from '../../log.ts';
import { FileError, isStandardOutput, type CommandFiles } from '../command-files.ts';
import { readAccountFile } from '../account-file.ts';
import type { CommandIO, Invocation } from '../command.ts';
import { setCommandActor } from '../command-actor.ts';
import { parseArguments } from '../parse-arguments.ts';
import { UsageError } from '../usage-error.ts';

/** Rows of one transaction. Other requests wait for locks and for the embedded engine no longer than this takes. */
const batchRows = 1000;
/** Rejected rows that are printed; --results has all of them. */
const maxPrinted = 500;

interface ImportOptions {
  readonly file: string;
  readonly dryRun: boolean;
  /** Name of the file with a result for each row; undefined for none. */
  readonly results: string | undefined;
  /** Overwrites the file of the results. */
  readonly replace: boolean;
  /** Email address of the administrator that `--as` names. */
  readonly creator: string | undefined;
}

/**
 * `import FILE [--dry-run] [--results FILE [--force]] [--as EMAIL]`
 *
 * @throws UsageError
 */
export function parseAccountImport(args: readonly string[]): Invocation {
  const { values, positionals } = parseArguments(
    args,
    {
      'dry-run': { type: 'boolean' },
      results: { type: 'string' },
      force: { type: 'boolean' },
      as: { type: 'string' },
    },
    1,
  );
  const [file] = positionals;
  if (file === undefined) throw new UsageError('Missing argument: FILE.');
  const { 'dry-run': dryRun = false, results, force: replace = false, as: creator } = values;
  return {
    requires: 'current-schema',
    writableFiles: results === undefined ? [] : [results],
    run: ({ database }, io) => importAccountFile(database, io, { file, dryRun, results, replace, creator }),
  };
}

/** @returns the exit code: 0 if no row is rejected, otherwise 1 */
async function importAccountFile(database: Database, io: CommandIO, options: ImportOptions): Promise<number> {
  const { dryRun } = options;
  const print = isStandardOutput(options.results ?? '') ? io.printError : io.print;
  const { ignored, rows } = await readAccountFile(io.files, options.file);
  if (ignored.length > 0)
    print(`Ignored columns: ${ignored.map((column) => toTerminalText(column)).join(', ')}.`);
  const results = await createResults(io.files, options.results, options.replace);
  const findRepeat = createRepeatCheck();
  const tally = new Map<ImportOutcome, number>();
  let printed = 0;
  let interruption: string | null = null;
  try {
    for (let offset = 0; offset < rows.length && interruption === null; offset += batchRows) {
      const batch = rows.slice(offset, offset + batchRows);
      const imported = await database.transaction(async (tx) => {
        const createdBy = await setCommandActor(tx, io, options.creator);
        return importAccounts(tx, batch.filter(isComplete), { dryRun, createdBy, findRepeat });
      });
      const batchResults = inFileOrder(batch, imported);
      for (const { line, outcome, reason } of batchResults) {
        tally.set(outcome, (tally.get(outcome) ?? 0) + 1);
        if (reason === undefined) continue;
        printed += 1;
        if (printed <= maxPrinted)
          print(`line ${String(line).padEnd(7)} rejected: ${toTerminalText(reason)}`);
      }
      const problem = await results.write(csvLines(batchResults.map((row) => resultCells(row))));
      interruption = problem ?? (io.isClosed() ? 'The command was interrupted.' : null);
    }
  } finally {
    // Also after an error: the earlier batches are stored.
    interruption = (await results.finish()) ?? interruption;
  }
  if (printed > maxPrinted) print(`... and ${printed - maxPrinted} more. Use --results FILE to get all.`);
  if (interruption !== null) io.printError(`${interruption} Run the command again to continue.`);
  print(`${dryRun ? 'Dry run, nothing was changed' : 'Done'}: ${summary(tally)}.`);
  return printed > 0 || interruption !== null ? 1 : 0;
}

const isComplete = (row: ImportRow | BrokenRow): row is ImportRow => !('reason' in row);

/** Adds the rows that were rejected without being imported. */
function inFileOrder(
  batch: readonly (ImportRow | BrokenRow)[],
  imported: readonly ImportResult[],
): readonly ImportResult[] {
  let next = 0;
  return batch.map((row) => {
    if (!isComplete(row)) return { line: row.line, outcome: 'rejected', reason: row.reason };
    const result = imported[next];
    next += 1;
    return result ?? { line: row.line, outcome: 'rejected', reason: 'The row has no result' };
  });
}

interface Results {
  /** Returns the reason why the file cannot be written; null if it can. */
  write(lines: string): Promise<string | null>;
  finish(): Promise<string | null>;
}

/**
 * @param name of the file; undefined for none. It keeps the results of the batches that were stored before an interruption.
 * @param replace overwrites an existing file
 * @throws UsageError if the file cannot be created
 */
async function createResults(
  files: CommandFiles,
  name: string | undefined,
  replace: boolean,
): Promise<Results> {
  if (name === undefined) return { write: async () => null, finish: async () => null };
  // A failure after a batch must not hide that its rows are stored.
  let hasFailed = false;
  const attempt = async (work: () => Promise<void>): Promise<string | null> => {
    if (hasFailed) return null;
    try {
      await work();
      return null;
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      hasFailed = true;
      await target.discard();
      return error.message;
    }
  };
  const target = await files
    .create(name, { replace, private: false, partial: true })
    .catch((error: unknown) => {
      throw error instanceof FileError ? new UsageError(error.message) : error;
    });
  const header = formatCsvHeader(['line', 'outcome', 'reason', 'id']);
  let isFirst = true;
  return {
    write: (lines) =>
      attempt(async () => {
        await target.write(Buffer.from(isFirst ? header + lines : lines));
        isFirst = false;
      }),
    finish: () => attempt(target.finish),
  };
}

const resultCells = ({ line, outcome, reason = '', id = '' }: ImportResult) => [line, outcome, reason, id];

const summary = (tally: ReadonlyMap<ImportOutcome, number>): string =>
  (['created', 'changed', 'unchanged', 'rejected'] as const)
    .map((outcome) => `${formatCount(tally.get(outcome) ?? 0)} ${outcome}`)
    .join(', ');
