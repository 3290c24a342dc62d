/** Finds columns of a file that are missing or chosen several times, for imports of accounts and of contacts. */
import type { ColumnMapping } from './column-guess.ts';
import type { ListFile } from './list-file.ts';

/** The columns of a file, and how the user chooses another one. */
export interface FileColumns<Column extends string> {
  readonly mapping: ColumnMapping<Column>;
  readonly file: Pick<ListFile, 'name' | 'header'>;
  /** The sentence after a missing column, such as `Choose one above.` */
  readonly advice: string;
}

/** Columns of which a file needs one, and what they contain. */
type NeededColumns<Column extends string> = readonly [oneOf: readonly Column[], content: string];

/** Returns the sentence that explains why the columns cannot be imported, or null. */
export function findProblemOfColumns<Column extends string>(
  { mapping, file: { name, header }, advice }: FileColumns<Column>,
  columns: readonly Column[],
  needed: readonly NeededColumns<Column>[],
): string | null {
  const list = (cells: readonly string[]): string => cells.map((cell) => `"${cell}"`).join(', ');
  for (const column of columns) {
    const headers = header.filter((_, index) => mapping[index] === column);
    if (headers.length > 1)
      return `${name} has several columns for ${column.replace('_', ' ')}: ${list(headers)}. Keep one of them.`;
  }
  const missing = needed.find(([oneOf]) => !oneOf.some((column) => mapping.includes(column)));
  if (missing === undefined) return null;
  return `${name} has no column with the ${missing[1]}. Its columns are ${list(header)}. ${advice}`;
}
