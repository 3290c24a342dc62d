/** CSV files that users choose: limits, separator, and the options of the parser. */
import { formatCount } from './format-count.ts';
import { decodeText, type DecodedText, encodings, type Encoding, startsWith } from './text-encoding.ts';

export interface FileLimits {
  readonly bytes: number;
  /** Without the header. */
  readonly rows: number;
}

/** In characters. A longer row usually has an unclosed quotation mark. Outlines of areas are long. */
export const maxRowLength = 262_144;
export const maxCells = 200;

/** The archive of a workbook is unpacked in memory. */
export const maxWorkbookBytes = 20 * 1024 * 1024;

const formatMegabytes = (bytes: number): string => `${bytes / 1024 / 1024} MB`;

export const fileTexts = {
  limits: ({ bytes, rows }: FileLimits) =>
    `Up to ${formatMegabytes(bytes)}${bytes > maxWorkbookBytes ? ` (XLSX: ${formatMegabytes(maxWorkbookBytes)})` : ''} and ${formatCount(rows)} rows.`,
  unreadable: (name: string) => `${name} could not be read. Choose it again.`,
  tooLarge: (name: string, limits: FileLimits) =>
    `${name} is larger than ${formatMegabytes(limits.bytes)}. Split it into several files.`,
  tooManyRows: (name: string, limits: FileLimits) =>
    `${name} has more than ${formatCount(limits.rows)} rows. Split it into several files.`,
  empty: (name: string) => `${name} is empty.`,
  noRows: (name: string) => `${name} has no rows below its header.`,
  oldWorkbook: (name: string) =>
    `${name} is not a workbook of the format XLSX. Save it as XLSX or as "CSV UTF-8".`,
  brokenWorkbook: (name: string) =>
    `${name} cannot be read as an Excel workbook. Save it as "CSV UTF-8" and import that file.`,
  largeWorkbook: (name: string) =>
    `${name} is too large for a workbook. Save it as "CSV UTF-8" and import that file.`,
  noText: (name: string) => `${name} is not a text file. Save it as XLSX or as "CSV UTF-8".`,
  wrongEncoding: (name: string, encoding: Encoding) =>
    `${name} has characters that are not ${encodings[encoding]}. Choose another encoding.`,
  unclosed: (name: string, line: number) =>
    `Line ${line} of ${name} is too long, or a quotation mark before it is not closed.`,
  manyCells: (name: string, line: number) => `Line ${line} of ${name} has more than ${maxCells} cells.`,
} as const;

export type FileText = DecodedText | { readonly problem: string };

/** Returns true for a zip archive, which XLSX files are. */
export const isZipArchive = (bytes: Uint8Array): boolean => startsWith(bytes, [0x50, 0x4b, 0x03, 0x04]);

/**
 * Decodes a file, or returns the sentence that explains why this is not possible.
 *
 * @param chosen undefined detects the encoding
 */
export function decodeFile(bytes: Uint8Array, name: string, limits: FileLimits, chosen?: Encoding): FileText {
  if (bytes.length > limits.bytes) return { problem: fileTexts.tooLarge(name, limits) };
  if (bytes.length === 0) return { problem: fileTexts.empty(name) };
  // The signature of older Office files.
  if (startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0])) return { problem: fileTexts.oldWorkbook(name) };
  const decoded = decodeText(bytes, chosen);
  if (decoded === null)
    return { problem: chosen ? fileTexts.wrongEncoding(name, chosen) : fileTexts.noText(name) };
  return decoded.text.trim() === '' ? { problem: fileTexts.empty(name) } : decoded;
}

/** Separators with their names for users. */
export const delimiterNames = { ',': 'Comma', ';': 'Semicolon', '\t': 'Tab', '|': 'Vertical bar' } as const;
export type Delimiter = keyof typeof delimiterNames;
const delimiters = Object.keys(delimiterNames) as Delimiter[];

export const isDelimiter = (text: string): text is Delimiter => Object.hasOwn(delimiterNames, text);

/** The first line of a file that Excel reads its separator from. */
const separatorLine = /^\s*"?sep=([^\r\n])"?[ \t,;]*(?=[\r\n]|$)/i;

export interface CsvText {
  /** Without a separator line. Its line break remains, so that line numbers are right. */
  readonly text: string;
  readonly delimiter: Delimiter;
}

/** @param chosen undefined takes the separator from the separator line, otherwise from the rows */
export function splitSeparatorLine(text: string, chosen?: Delimiter): CsvText {
  const [line = '', named = ''] = separatorLine.exec(text) ?? [];
  const rest = text.slice(line.length);
  return { text: rest, delimiter: chosen ?? (isDelimiter(named) ? named : detectDelimiter(rest)) };
}

const sampleLength = 65_536;
const sampleRows = 20;

/**
 * Returns the separator that splits the rows as it splits the header. Among equals, it is the one with the most cells.
 * Separators inside quotation marks do not count.
 */
export function detectDelimiter(text: string): Delimiter {
  const rate = (delimiter: Delimiter): number => {
    const [header = 1, ...rows] = countCells(text.slice(0, sampleLength), delimiter);
    if (header < 2) return 0;
    // A file of short rows has none of the length of the header.
    const equal = rows.filter((cells) => cells === header).length;
    return (1 + equal) / (1 + rows.length) + header / 1000;
  };
  return delimiters.reduce((best, each) => (rate(each) > rate(best) ? each : best));
}

/** Returns the numbers of cells of the first rows that are not empty. */
function countCells(text: string, delimiter: string): readonly number[] {
  const rows: number[] = [];
  let cells = 1;
  let isStart = true;
  let isQuoted = false;
  let isEmpty = true;
  for (let index = 0; index < text.length && rows.length < sampleRows; index += 1) {
    const character = text.charAt(index);
    if (isQuoted) {
      if (character === '"') isQuoted = false;
    } else if (character === '\n' || character === '\r') {
      if (!isEmpty) rows.push(cells);
      cells = 1;
      isStart = true;
      isEmpty = true;
      continue;
    } else if (character === delimiter) {
      cells += 1;
      isStart = true;
      isEmpty = false;
      continue;
    } else if (character === '"' && (isStart || text.charAt(index - 1) === '"')) {
      // An escaped quotation mark is two of them: the second one starts the quoted text again.
      isQuoted = true;
    }
    if (character !== ' ') {
      isStart = false;
      isEmpty = false;
    }
  }
  if (!isEmpty && rows.length < sampleRows) rows.push(cells);
  return rows;
}

/** Options of csv-parse. A quotation mark within a cell spoils its row only, and so does a missing cell. */
export const csvOptions = (delimiter: Delimiter) => ({
  delimiter,
  record_delimiter: ['\r\n', '\n', '\r'],
  info: true as const,
  max_record_size: maxRowLength,
  relax_column_count: true,
  relax_quotes: true,
  skip_empty_lines: true,
  skip_records_with_empty_values: true,
  trim: true,
});

/** A record of csv-parse with the option `info`. */
export interface CsvRecord {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/** Returns the line where the record starts; csv-parse reports the one where it ends. */
export const startLine = ({ record, info }: CsvRecord): number =>
  info.lines - record.reduce((breaks, cell) => breaks + (cell.match(/\r\n|\n|\r/g)?.length ?? 0), 0);

/**
 * Returns a function that finds a row with too many cells in a file that arrives in pieces: the parser does not limit
 * the memory of empty cells. It returns the line, or null.
 */
export function createCellCheck(delimiter: Delimiter): (text: string) => number | null {
  const separator = delimiter.charCodeAt(0);
  let line = 1;
  let cells = 1;
  let isQuoted = false;
  let previous = 0;
  return (text) => {
    for (let index = 0; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      // An escaped quotation mark is two of them, which leave the cell quoted.
      if (code === quote) isQuoted = !isQuoted;
      else if (code === lineFeed || code === carriageReturn) {
        if (code === carriageReturn || previous !== carriageReturn) line += 1;
        if (!isQuoted) cells = 1;
      } else if (code === separator && !isQuoted) {
        cells += 1;
        if (cells > maxCells) return line;
      }
      previous = code;
    }
    return null;
  };
}

const [quote, lineFeed, carriageReturn] = [0x22, 0x0a, 0x0d];
