/** Guesses what the columns of a list mean, from their headers and from the texts below. */

import { foldText } from './fold-text.ts';

/** The field that each column of the file means; null for an unused one. */
export type ColumnMapping<Column extends string> = readonly (Column | null)[];

export interface ColumnNames {
  /** In lower case, without spaces, accents and punctuation; the most specific ones first. */
  readonly names: readonly string[];
  /** Names that mean the field only if no column has one of `names`. */
  readonly weakNames?: readonly string[];
  /** Whole headers that mean the field only if no other field and none of the names above has taken the column. */
  readonly restNames?: readonly string[];
}

interface GuessOptions<Column extends string> {
  /** Rows below the header. */
  readonly records: readonly (readonly string[])[];
  /** Rules of texts. A column with another text is not guessed. */
  readonly accepts?: { readonly [Each in Column]?: (cell: string) => boolean };
}

/** Rows whose texts are checked. */
const sampleRows = 200;

/**
 * Returns at most one column for each field. A header that is a name wins over one that contains it as a word, such as
 * `Resort_name`.
 */
export function guessColumns<Column extends string>(
  header: readonly string[],
  columns: Readonly<Record<Column, ColumnNames>>,
  { records, accepts = {} }: GuessOptions<Column>,
): ColumnMapping<Column> {
  const headers = header.map((cell) => ({ name: normalizeHeader(cell), words: splitHeader(cell) }));
  const mapping: (Column | null)[] = header.map(() => null);
  const isFree = (column: Column, index: number): boolean => {
    const isAccepted = accepts[column] ?? (() => true);
    const texts = records.slice(0, sampleRows).map((record) => record[index] ?? '');
    return mapping[index] === null && texts.every((text) => text === '' || isAccepted(text));
  };
  const assign = (column: Column, matches: (header: (typeof headers)[number]) => boolean): void => {
    if (mapping.includes(column)) return;
    const index = headers.findIndex((each, place) => matches(each) && isFree(column, place));
    if (index >= 0) mapping[index] = column;
  };
  const fields = Object.keys(columns) as Column[];
  for (const field of fields)
    for (const name of columns[field].names) assign(field, (each) => each.name === name);
  for (const field of fields)
    for (const name of columns[field].names) assign(field, ({ words }) => words.includes(name));
  for (const field of fields)
    for (const name of columns[field].weakNames ?? []) {
      assign(field, (each) => each.name === name || each.words.includes(name));
    }
  for (const field of fields)
    for (const name of columns[field].restNames ?? []) assign(field, (each) => each.name === name);
  return mapping;
}

/** Returns true if a cell is one of the names, so that the row is a header. */
export function hasKnownName(
  cells: readonly string[],
  columns: Readonly<Record<string, ColumnNames>>,
): boolean {
  const known = new Set(Object.values(columns).flatMap(({ names }) => names));
  return cells.some((cell) => known.has(normalizeHeader(cell)));
}

const normalizeHeader = (cell: string): string => splitHeader(cell).join('');

/** In code units. A longer cell is no name, and to fold it can take quadratic time. */
const maxHeaderLength = 200;

const splitHeader = (cell: string): readonly string[] =>
  cell.length > maxHeaderLength
    ? []
    : foldText(cell.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2'))
        .split(/[^\p{L}\p{N}]+/u)
        .filter((word) => word !== '');
