/** `accounts import`: creates and changes the accounts of a CSV file. */
import fs from 'node:fs';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import type { BrokenRow } from '@lanternrock/contract/account-file';
import {
  createRepeatCheck,
  type ImportOutcome,
  type ImportResult,
  type ImportRow,
} from '@lanternrock/contract/account-import';
import type { Database } from '@lanternrock/postgres';
import { importAccounts } from '../../accounts/import-accounts.ts';
import { csvHeader, csvLines } from '../../csv.ts';
import { toTerminalText } from '../../log.ts';
import { readAccountFile } from '../account-file.ts';
import type { Output } from '../command.ts';
import { setCommandActor } from '../command-actor.ts';
import { parseArguments, UsageError } from '../parse-arguments.ts';

/** Rows of one transaction. Other requests wait for locks and for the embedded engine no longer than this takes. */
const batchRows = 1000;
/** Rejected rows that are printed; --results has all of them. */
const maxPrinted = 500;

/** @returns the exit code: 0 if no row is rejected, otherwise 1 */
export async function importAccountFile(
  database: Database,
  args: readonly string[],
  output: Output,
): Promise<number> {
  const { values, positionals } = parseArguments(
    args,
    { 'dry-run': { type: 'boolean' }, results: { type: 'string' }, as: { type: 'string' } },
    1,
  );
  if (positionals[0] === undefined) throw new UsageError('Missing argument: FILE.');
  const dryRun = values['dry-run'] ?? false;
  const { ignored, rows } = await readAccountFile(path.resolve(output.cwd, positionals[0]));
  if (ignored.length > 0)
    output.print(`Ignored columns: ${ignored.map((column) => toTerminalText(column)).join(', ')}.`);
  const results = values.results === undefined ? null : openResults(path.resolve(output.cwd, values.results));
  const findRepeat = createRepeatCheck();
  const tally = new Map<ImportOutcome, number>();
  let printed = 0;
  let isInterrupted = false;
  for (let offset = 0; offset < rows.length && !isInterrupted; offset += batchRows) {
    const batch = rows.slice(offset, offset + batchRows);
    const imported = await database.transaction(async (tx) => {
      const createdBy = await setCommandActor(tx, output, values.as);
      return importAccounts(tx, batch.filter(isComplete), { dryRun, createdBy, findRepeat });
    });
    const batchResults = inFileOrder(batch, imported);
    for (const { line, outcome, reason } of batchResults) {
      tally.set(outcome, (tally.get(outcome) ?? 0) + 1);
      if (reason === undefined) continue;
      printed += 1;
      if (printed <= maxPrinted)
        output.print(`line ${String(line).padEnd(7)} rejected: ${toTerminalText(reason)}`);
    }
    results?.write(csvLines(batchResults.map((row) => resultCells(row))));
    isInterrupted = output.isClosed();
  }
  if (results) await finished(results.end());
  if (printed > maxPrinted)
    output.print(`... and ${printed - maxPrinted} more. Use --results FILE to get all.`);
  if (isInterrupted) output.printError('The command was interrupted. Run it again to continue.');
  output.print(`${dryRun ? 'Dry run, nothing was changed' : 'Done'}: ${summary(tally)}.`);
  return printed > 0 || isInterrupted ? 1 : 0;
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

/** @throws UsageError if the file cannot be created */
function openResults(file: string): fs.WriteStream {
  try {
    const stream = fs.createWriteStream(file, { fd: fs.openSync(file, 'w', 0o600) });
    stream.write(csvHeader(['line', 'outcome', 'reason', 'id']));
    return stream;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new UsageError(`${file} cannot be written (${code}).`);
  }
}

const resultCells = ({ line, outcome, reason = '', id = '' }: ImportResult) => [line, outcome, reason, id];

const summary = (tally: ReadonlyMap<ImportOutcome, number>): string =>
  (['created', 'changed', 'unchanged', 'rejected'] as const)
    .map((outcome) => `${(tally.get(outcome) ?? 0).toLocaleString('en')} ${outcome}`)
    .join(', ');
