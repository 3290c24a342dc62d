/** Finds columns of a file that are missing or chosen several times, for imports of accounts and of contacts. */
import type { ColumnMapping } from './column-guess.ts';

interface FileColumns<Column extends string> {
  readonly mapping: ColumnMapping<Column>;
  readonly header: readonly string[];
  /** Name of the file. */
  readonly file: string;
}

/** Columns of which a file needs one, and what they contain. */
type NeededColumns<Column extends string> = readonly [oneOf: readonly Column[], content: string];

/** Returns the sentence that explains why the columns cannot be imported, or null. */
export function findProblemOfColumns<Column extends string>(
  { mapping, header, file }: FileColumns<Column>,
  columns: readonly Column[],
  needed: readonly NeededColumns<Column>[],
): string | null {
  const list = (cells: readonly string[]): string => cells.map((cell) => `"${cell}"`).join(', ');
  for (const column of columns) {
    const headers = header.filter((_, index) => mapping[index] === column);
    if (headers.length > 1)
      return `${file} has several columns for ${column.replace('_', ' ')}: ${list(headers)}. Keep one of them.`;
  }
  const missing = needed.find(([oneOf]) => !oneOf.some((column) => mapping.includes(column)));
  if (missing === undefined) return null;
  return `${file} has no column with the ${missing[1]}. Its columns are ${list(header)}.`;
}
