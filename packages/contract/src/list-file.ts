/** A list as a user has it: its header and rows, and how the file was read. The same for the console and the command line. */
import { type ColumnMapping, type ColumnNames, hasKnownName } from './column-guess.ts';
import { type Delimiter, type FileLimits, fileTexts } from './csv-file.ts';
import type { Encoding } from './text-encoding.ts';

/** What the user chose about the file; undefined is detected. */
export interface ReadingChoice {
  readonly encoding?: Encoding | undefined;
  readonly delimiter?: Delimiter | undefined;
  /** True if the first row has the names of the columns. */
  readonly hasHeader?: boolean | undefined;
  /** Name of the sheet of a workbook. */
  readonly sheet?: string | undefined;
}

/** How the file was read. */
export interface Reading {
  /** Null for a workbook. */
  readonly text: {
    readonly encoding: Encoding;
    readonly delimiter: Delimiter;
    /** True if the bytes do not prove the encoding. A person should then look at the sample. */
    readonly isGuessed: boolean;
    /** Words that depend on the encoding; none for UTF-8. */
    readonly sample: readonly string[];
  } | null;
  /** Sheets with rows, and the one that was read; null for a text file. */
  readonly workbook: { readonly sheet: string; readonly sheets: readonly string[] } | null;
}

export interface ListRow {
  readonly record: readonly string[];
  /** Line of the file, or row of the sheet, where the record starts; counted from 1. */
  readonly line: number;
}

export interface ListFile {
  readonly name: string;
  /** `Column 3` for a column without a name. */
  readonly header: readonly string[];
  readonly hasHeader: boolean;
  /** At least one. */
  readonly records: readonly (readonly string[])[];
  /** Line of each record. */
  readonly lines: readonly number[];
  readonly reading: Reading;
}

/** `problem`: the sentence that explains why the file cannot be used. */
export type ListResult = ListFile | { readonly problem: string };

interface ListOptions {
  readonly name: string;
  readonly limits: FileLimits;
  readonly reading: Reading;
  readonly hasHeader: boolean | undefined;
  /** Names by which a header is recognized. */
  readonly columnNames: Readonly<Record<string, ColumnNames>>;
}

/** @param rows without empty rows; at most two more than the limit are needed */
export function createListFile(rows: readonly ListRow[], options: ListOptions): ListResult {
  const { name, limits, reading, columnNames } = options;
  const [first] = rows;
  if (first === undefined) return { problem: fileTexts.empty(name) };
  const hasHeader = options.hasHeader ?? isHeader(first.record, columnNames);
  const body = hasHeader ? rows.slice(1) : rows;
  if (body.length === 0) return { problem: fileTexts.noRows(name) };
  if (body.length > limits.rows) return { problem: fileTexts.tooManyRows(name, limits) };
  const header = first.record.map((cell, index) => (hasHeader && cell !== '' ? cell : columnLabel(index)));
  return {
    name,
    header,
    hasHeader,
    records: body.map(({ record }) => record),
    lines: body.map(({ line }) => line),
    reading,
  };
}

const columnLabel = (index: number): string => `Column ${index + 1}`;

/** A cell of a row of data: a number or an email address. */
const isData = (cell: string): boolean => cell.includes('@') || /^[+-]?\d[\d.,\s]*$/.test(cell);

const isHeader = (cells: readonly string[], columnNames: Readonly<Record<string, ColumnNames>>): boolean =>
  !cells.some((cell) => cell.includes('@')) && (hasKnownName(cells, columnNames) || !cells.some(isData));

/** Returns the columns that are not imported and have a text in a row. */
export const listUnusedColumns = (
  { header, records }: Pick<ListFile, 'header' | 'records'>,
  mapping: readonly (string | null)[],
): readonly string[] =>
  header.filter(
    (_, index) => mapping[index] === null && records.some((record) => (record[index] ?? '') !== ''),
  );

/** Returns the sentence for a row with texts beyond the header, or null. Missing cells at the end of a row are empty. */
export function findExtraCells(record: readonly string[], columns: number): string | null {
  const last = record.findLastIndex((cell) => cell !== '');
  if (last < columns) return null;
  const text = Array.from(record[columns] ?? '')
    .slice(0, 40)
    .join('');
  const found = text === '' ? '' : `: "${text}" is in no column`;
  return `The row has ${last + 1} cells, but the header has ${columns}${found}`;
}

/** A row that is rejected without a look at its cells. */
export interface BrokenRow {
  readonly line: number;
  readonly reason: string;
}

/** Returns the cells of a record by column. Cells that are missing at the end of the record are empty. */
export function toCells<Column extends string>(
  record: readonly string[],
  mapping: ColumnMapping<Column>,
  line: number,
): ({ readonly line: number } & Readonly<Partial<Record<Column, string>>>) | BrokenRow {
  const problem = findExtraCells(record, mapping.length);
  if (problem !== null) return { line, reason: problem };
  const cells: Partial<Record<Column, string>> = {};
  for (const [index, column] of mapping.entries()) if (column !== null) cells[column] = record[index] ?? '';
  return { line, ...cells };
}

/**
 * Returns the text of a cell in one line: spreadsheet programs allow several.
 *
 * @param separator between two lines
 */
export const joinLines = (text: string, separator: string): string =>
  // Not by a regular expression for the spaces before a line break: it takes quadratic time for other spaces.
  text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(separator);
