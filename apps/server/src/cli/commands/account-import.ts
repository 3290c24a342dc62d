/** `accounts import`: creates and changes the accounts of a list. */
import { randomUUID } from 'node:crypto';
import {
  createRepeatCheck,
  maxSpellingRows,
  parseImportRow,
  type ImportOutcome,
  type ImportResult,
  type ImportRow,
} from '@lanternrock/contract/account-import';
import { formatCount } from '@lanternrock/contract/format-count';
import {
  createQuestionCheck,
  type FindQuestion,
  type ImportQuestion,
} from '@lanternrock/contract/import-questions';
import type { BrokenRow } from '@lanternrock/contract/list-file';
import type { Database } from '@lanternrock/postgres';
import { importAccounts } from '../../accounts/import-accounts.ts';
import { previewImport, previewRows } from '../../accounts/import-preview.ts';
import { formatCsvHeader, csvLines } from '../../csv.ts';
import { FileError, isStandardOutput, type CommandFiles } from '../command-files.ts';
import { type AccountListOptions, parseAccountListOptions, readAccountList } from '../account-list.ts';
import type { CommandIO, Invocation } from '../command.ts';
import { setCommandActor } from '../command-actor.ts';
import { describeRejections } from '../describe-rejections.ts';
import { listOptions } from '../list-options.ts';
import { parseArguments } from '../parse-arguments.ts';
import { UsageError } from '../usage-error.ts';

/** Rows of one transaction. Other requests wait for locks and for the embedded engine no longer than this takes. */
const batchRows = 1000;

/** The option that does what a row says without asking. */
const questionOptions = {
  similar: 'create-similar',
  by_name_only: 'change-by-name',
} as const satisfies Readonly<Record<ImportQuestion, string>>;

interface ImportOptions {
  readonly file: string;
  readonly list: AccountListOptions;
  readonly dryRun: boolean;
  /** Questions that the operator has answered with yes for all rows. */
  readonly accepted: ReadonlySet<ImportQuestion>;
  /** Name of the file with a result for each row; undefined for none. */
  readonly results: string | undefined;
  /** Overwrites the file of the results. */
  readonly replace: boolean;
  /** Email address of the administrator that `--as` names. */
  readonly creator: string | undefined;
}

/**
 * `import FILE [--dry-run] [--results FILE [--force]] [--as EMAIL] [--create-similar] [--change-by-name]`, and the options of
 * `account-list.ts`
 *
 * @throws UsageError
 */
export function parseAccountImport(args: readonly string[]): Invocation {
  const { values, positionals } = parseArguments(
    args,
    {
      ...listOptions,
      type: { type: 'string' },
      'map-type': { type: 'string', multiple: true },
      [questionOptions.similar]: { type: 'boolean' },
      [questionOptions.by_name_only]: { type: 'boolean' },
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
  const questions = Object.keys(questionOptions) as ImportQuestion[];
  const accepted = new Set(questions.filter((question) => values[questionOptions[question]] === true));
  const list = parseAccountListOptions(values);
  return {
    requires: 'current-schema',
    writableFiles: results === undefined ? [] : [results],
    run: ({ database }, io) =>
      importAccountFile(database, io, { file, list, dryRun, accepted, results, replace, creator }),
  };
}

/** @returns the exit code: 0 if no row is rejected, otherwise 1 */
async function importAccountFile(database: Database, io: CommandIO, options: ImportOptions): Promise<number> {
  const { dryRun } = options;
  const print = isStandardOutput(options.results ?? '') ? io.printError : io.print;
  const { notes, rows } = await readAccountList(io.files, options.file, options.list);
  for (const note of notes) print(note);
  const results = await createResults(io.files, options.results, options.replace);
  const importBatch = createBatchImport(database, io, options, rows.length);
  const tally = new Map<ImportOutcome, number>();
  const rejections = new Map<string, number[]>();
  let interruption: string | null = null;
  try {
    for (let offset = 0; offset < rows.length && interruption === null; offset += batchRows) {
      const batch = rows.slice(offset, offset + batchRows);
      const batchResults = inFileOrder(batch, await importBatch.run(batch.filter(isComplete)));
      for (const { line, outcome, reason } of batchResults) {
        tally.set(outcome, (tally.get(outcome) ?? 0) + 1);
        if (reason === undefined) continue;
        const lines = rejections.get(reason);
        if (lines) lines.push(line);
        else rejections.set(reason, [line]);
      }
      const problem = await results.write(csvLines(batchResults.map((row) => resultCells(row))));
      interruption = problem ?? (io.isClosed() ? 'The command was interrupted.' : null);
    }
  } finally {
    // Also after an error: the earlier batches are stored.
    interruption = (await results.finish()) ?? interruption;
    for (const text of describeRejections(rejections)) print(text);
  }
  if (interruption !== null) io.printError(`${interruption} Run the command again to continue.`);
  if (!dryRun && (tally.get('created') ?? 0) > 0)
    print(`To delete the created accounts: lanternrock accounts undo-import ${importBatch.importId}`);
  print(`${dryRun ? 'Dry run, nothing was changed' : 'Done'}: ${summary(tally)}.`);
  return rejections.size > 0 || interruption !== null ? 1 : 0;
}

interface BatchImport {
  readonly importId: string;
  /** Returns the result of each row, in the same order. Rows with an open question are rejected. */
  readonly run: (rows: readonly ImportRow[]) => Promise<readonly ImportResult[]>;
}

/** @param total number of rows of the file */
function createBatchImport(
  database: Database,
  io: CommandIO,
  { dryRun, accepted, creator, list: { defaultType } }: ImportOptions,
  total: number,
): BatchImport {
  const importId = randomUUID();
  const findRepeat = createRepeatCheck();
  const findQuestion = createQuestionCheck();
  const compareSpelling = total <= maxSpellingRows;
  const size = compareSpelling ? previewRows.withSpelling : previewRows.withoutSpelling;

  const preview = async (rows: readonly ImportRow[]): Promise<readonly ImportResult[]> => {
    const results: ImportResult[] = [];
    for (let offset = 0; offset < rows.length; offset += size) {
      const some = rows.slice(offset, offset + size);
      const previewed = await database.transaction((tx) =>
        previewImport(tx, some, { findRepeat, defaultType, compareSpelling }),
      );
      results.push(...previewed.map((result, index) => ask(result, some[index], findQuestion, accepted)));
    }
    return results;
  };

  return {
    importId,
    run: async (rows) => {
      const previewed = await preview(rows);
      if (dryRun) return previewed;
      const due = rows.filter((_, index) => previewed[index]?.outcome !== 'rejected');
      const imported = await database.transaction(async (tx) => {
        const createdBy = await setCommandActor(tx, io, creator);
        return importAccounts(tx, due, { createdBy, importId, defaultType, findRepeat });
      });
      const byLine = new Map(imported.map((result) => [result.line, result]));
      return previewed.map((result) => byLine.get(result.line) ?? result);
    },
  };
}

/** Rejects a row with a question that the operator has not answered. */
function ask(
  result: ImportResult,
  row: ImportRow | undefined,
  findQuestion: FindQuestion,
  accepted: ReadonlySet<ImportQuestion>,
): ImportResult {
  const values = row === undefined ? null : parseImportRow(row);
  if (values === null || 'reason' in values) return result;
  const asked = findQuestion(result, values);
  if (asked === null || accepted.has(asked.question)) return result;
  const reason = `${asked.reason}. Use --${questionOptions[asked.question]} to import the row`;
  return { line: result.line, outcome: 'rejected', reason };
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
