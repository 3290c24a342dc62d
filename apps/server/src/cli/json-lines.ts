/** Prints log entries as JSON lines, with a limit per command and the arguments to continue. */
import { UsageError } from './usage-error.ts';
import type { CommandIO } from './command.ts';

/** Maximum number of lines per command, and the row limit of its query. */
export const maxLines = 10_000;

/**
 * Prints the rows and, at the limit, how to continue.
 *
 * @param rows oldest first
 * @param nextArgs returns the arguments that print the rows after the last one
 * @param format returns the line of a row
 */
export function printJsonLines<Row extends object>(
  rows: readonly Row[],
  nextArgs: (last: Row) => readonly string[],
  io: CommandIO,
  format: (row: Row) => string = JSON.stringify,
): void {
  for (const row of rows) io.print(format(row));
  const last = rows.at(-1);
  if (last && rows.length === maxLines)
    io.printError(`Showing the first ${maxLines}. Continue with: ${nextArgs(last).join(' ')}`);
}

/**
 * Parses the value of `--since`. Returns null without a value.
 *
 * @throws UsageError
 */
export function parseSince(text: string | undefined): Date | null {
  if (text === undefined) return null;
  const since = new Date(text);
  if (Number.isNaN(since.getTime()))
    throw new UsageError('--since must be a time such as 2026-11-21 or 2026-11-21T08:00Z.');
  return since;
}
