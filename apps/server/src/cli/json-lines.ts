/** Commands that print what was recorded, as lines of JSON for other programs. */
import { UsageError } from './parse-arguments.ts';
import type { Output } from './command.ts';

/** Most lines that one call prints; queries end there. */
export const maxLines = 10_000;

/**
 * @param rows oldest first
 * @param goOn the arguments that print what comes behind the last row
 */
export function printJsonLines<Row extends object>(
  rows: readonly Row[],
  goOn: (last: Row) => readonly string[],
  output: Output,
): void {
  for (const row of rows) output.print(JSON.stringify(row));
  const last = rows.at(-1);
  if (last && rows.length === maxLines)
    output.printError(`Only the first ${maxLines} are shown; go on with ${goOn(last).join(' ')}`);
}

/**
 * The time from which on something is told; the beginning of time without one.
 * @throws UsageError
 */
export function parseSince(text: string | undefined): Date {
  const since = new Date(text ?? 0);
  if (Number.isNaN(since.getTime()))
    throw new UsageError('--since takes a time such as 2026-11-21 or 2026-11-21T08:00Z.');
  return since;
}
