/** The lines that a command prints about rejected rows of a list. */
import { formatCount } from '@lanternrock/contract/format-count';
import { toTerminalText } from '../log.ts';

/** Reasons that are printed; --results has all rows. */
const maxReasons = 500;
/** Line numbers that are printed for a reason. */
const maxLines = 10;
/** A reason can contain the fields that a row would change. */
const maxReasonLength = 200;

/**
 * Returns one line for each reason, and a last one if there are more.
 *
 * @param rejections numbers of the lines by reason, in the order of the file
 */
export function describeRejections(rejections: ReadonlyMap<string, readonly number[]>): readonly string[] {
  const reasons = [...rejections];
  const printed = reasons
    .slice(0, maxReasons)
    .map(([reason, lines]) => `${formatLines(lines)} rejected: ${toTerminalText(reason, maxReasonLength)}`);
  const others = reasons.slice(maxReasons).reduce((sum, [, lines]) => sum + lines.length, 0);
  return others === 0
    ? printed
    : [...printed, `... and ${formatCount(others)} more. Use --results FILE to get all.`];
}

function formatLines(lines: readonly number[]): string {
  if (lines.length === 1) return `line ${String(lines[0]).padEnd(7)}`;
  const more = lines.length - maxLines;
  return `lines ${lines.slice(0, maxLines).join(', ')}${more > 0 ? ` and ${formatCount(more)} more` : ''} `;
}
