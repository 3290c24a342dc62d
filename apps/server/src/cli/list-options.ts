/** Options of commands that read a list: how the file is read, and what its columns mean. */
import { type ColumnMapping, type ColumnNames, guessColumns } from '@lanternrock/contract/column-guess';
import { type Delimiter, isDelimiter } from '@lanternrock/contract/csv-file';
import { type ListFile, listUnusedColumns, type ReadingChoice } from '@lanternrock/contract/list-file';
import { encodings, isEncoding } from '@lanternrock/contract/text-encoding';
import { toTerminalText } from '../log.ts';
import { UsageError } from './usage-error.ts';

export const listOptions = {
  encoding: { type: 'string' },
  separator: { type: 'string' },
  'no-header': { type: 'boolean' },
  sheet: { type: 'string' },
  column: { type: 'string', multiple: true },
} as const;

/** Values of `listOptions`, as typed. */
export interface ListOptionValues {
  readonly encoding?: string | undefined;
  readonly separator?: string | undefined;
  readonly 'no-header'?: boolean | undefined;
  readonly sheet?: string | undefined;
  readonly column?: readonly string[] | undefined;
}

/** The names of separators that a shell would not pass on as one character. */
const separatorNames: Readonly<Record<string, Delimiter>> = {
  comma: ',',
  semicolon: ';',
  tab: '\t',
  bar: '|',
};

/** @throws UsageError */
export function parseReadingChoice(values: ListOptionValues): ReadingChoice {
  const { encoding, separator, 'no-header': noHeader, sheet } = values;
  if (encoding !== undefined && !isEncoding(encoding))
    throw new UsageError(`--encoding must be one of ${Object.keys(encodings).join(', ')}.`);
  const delimiter = separator === undefined ? undefined : (separatorNames[separator] ?? separator);
  if (delimiter !== undefined && !isDelimiter(delimiter))
    throw new UsageError(`--separator must be one of ${Object.keys(separatorNames).join(', ')}.`);
  return { encoding, delimiter, hasHeader: noHeader === true ? false : undefined, sheet };
}

/** The columns that `--column FIELD=HEADER` names, by field. */
export type ChosenColumns<Column extends string> = ReadonlyMap<Column, string>;

/**
 * Parses `--column FIELD=HEADER`.
 *
 * @param fields the fields by their names on the command line
 * @throws UsageError
 */
export function parseColumnChoices<Column extends string>(
  texts: readonly string[],
  fields: Readonly<Record<string, Column>>,
): ChosenColumns<Column> {
  const chosen = new Map<Column, string>();
  for (const text of texts) {
    const [name, header] = splitPair(text);
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field === undefined || header === undefined)
      throw new UsageError(
        `--column must be FIELD=HEADER, where FIELD is one of ${Object.keys(fields).join(', ')}.`,
      );
    chosen.set(field, header);
  }
  return chosen;
}

/** Splits `name=value` at the first sign. */
export const splitPair = (text: string): readonly [string, string | undefined] => {
  const [name = '', ...rest] = text.split('=');
  return [name, rest.length === 0 ? undefined : rest.join('=')];
};

interface MappingOptions<Column extends string> {
  readonly names: Readonly<Record<Column, ColumnNames>>;
  readonly accepts?: { readonly [Each in Column]?: (cell: string) => boolean };
  readonly chosen: ChosenColumns<Column>;
}

/**
 * Returns the meaning of the columns. A chosen header can also be the number of its column, from 1; an empty one uses no
 * column for the field.
 *
 * @throws UsageError for a header that the file does not have
 */
export function mapColumns<Column extends string>(
  { name, header, records }: ListFile,
  { names, accepts = {}, chosen }: MappingOptions<Column>,
): ColumnMapping<Column> {
  const guessed = guessColumns(header, names, { records, accepts });
  const mapping = guessed.map((column) => (column !== null && chosen.has(column) ? null : column));
  for (const [field, wanted] of chosen) {
    if (wanted === '') continue;
    const named = header.findIndex((cell) => cell.toLowerCase() === wanted.toLowerCase());
    const index = named < 0 && /^\d{1,3}$/.test(wanted) ? Number(wanted) - 1 : named;
    if (index < 0 || index >= header.length)
      throw new UsageError(
        `${name} has no column "${wanted}". Its columns are ${header.map((cell) => `"${cell}"`).join(', ')}.`,
      );
    mapping[index] = field;
  }
  return mapping;
}

/** Returns the line that names the columns without a use, or null. */
export function describeUnused(file: ListFile, mapping: ColumnMapping<string>): string | null {
  const unused = listUnusedColumns(file, mapping);
  return unused.length === 0
    ? null
    : `Ignored columns: ${unused.map((column) => toTerminalText(column)).join(', ')}.`;
}
