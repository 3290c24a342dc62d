/** CSV files that users choose: encoding, limits, delimiter and the meaning of the header. */
import { formatCount } from './format-count.ts';

export interface FileLimits {
  readonly bytes: number;
  /** Without the header. */
  readonly rows: number;
}

/** In characters. A longer row usually has an unclosed quotation mark. */
const maxRowLength = 16_384;
const maxCells = 200;

export const fileTexts = {
  limits: ({ bytes, rows }: FileLimits) => `Up to ${bytes / 1024 / 1024} MB and ${formatCount(rows)} rows.`,
  unreadable: (name: string) => `${name} could not be read. Choose it again.`,
  tooLarge: (name: string, limits: FileLimits) =>
    `${name} is larger than ${limits.bytes / 1024 / 1024} MB. Split it into several files.`,
  tooManyRows: (name: string, limits: FileLimits) =>
    `${name} has more than ${formatCount(limits.rows)} rows. Split it into several files.`,
  empty: (name: string) => `${name} is empty.`,
  noRows: (name: string) => `${name} has no rows below its header.`,
  workbook: (name: string) => `${name} is an Excel workbook. Save it as "CSV UTF-8" and import that file.`,
  notUnicode: (name: string) =>
    `${name} is not UTF-8. Its encoding is probably Latin-1 (Windows-1252). Save it as "CSV UTF-8".`,
  noByteOrderMark: (name: string) =>
    `${name} has NUL bytes. It is probably UTF-16 without a byte order mark. Save it as "CSV UTF-8".`,
  unclosed: (name: string, line: number) =>
    `Line ${line} of ${name} is too long, or a quotation mark before it is not closed.`,
  manyCells: (name: string, line: number) => `Line ${line} of ${name} has more than ${maxCells} cells.`,
} as const;

export type FileText =
  | { readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be'; readonly text: string }
  | { readonly problem: string };

const startsWith = (bytes: Uint8Array, start: readonly number[]): boolean =>
  start.every((byte, index) => bytes[index] === byte);

/** Decodes a file without its byte order mark, or returns the sentence that explains why this is not possible. */
export function decodeFile(bytes: Uint8Array, name: string, limits: FileLimits): FileText {
  if (bytes.length > limits.bytes) return { problem: fileTexts.tooLarge(name, limits) };
  if (bytes.length === 0) return { problem: fileTexts.empty(name) };
  // Signatures of zip archives (xlsx) and of older Office files (xls).
  if (startsWith(bytes, [0x50, 0x4b, 3, 4]) || startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0]))
    return { problem: fileTexts.workbook(name) };
  const encoding = startsWith(bytes, [0xff, 0xfe])
    ? 'utf-16le'
    : startsWith(bytes, [0xfe, 0xff])
      ? 'utf-16be'
      : 'utf-8';
  if (encoding === 'utf-8' && bytes.subarray(0, 4096).includes(0))
    return { problem: fileTexts.noByteOrderMark(name) };
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return text.trim() === '' ? { problem: fileTexts.empty(name) } : { encoding, text };
  } catch {
    return { problem: fileTexts.notUnicode(name) };
  }
}

const delimiters = [',', ';', '\t'] as const;
export type Delimiter = (typeof delimiters)[number];

/** Returns the most frequent delimiter of the header. Spreadsheet programs use semicolons or tabs in some locales. */
export function detectDelimiter(text: string): Delimiter {
  const [header = ''] = text.slice(0, 4096).split(/[\r\n]/, 1);
  const frequency = (delimiter: string): number => header.split(delimiter).length;
  return delimiters.reduce((best, each) => (frequency(each) > frequency(best) ? each : best));
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

/** The column that each cell of the header means; null for an unused one. */
export type ColumnMapping<Column extends string> = readonly (Column | null)[];

/** @param names names of each column, in lower case without spaces and punctuation */
export const guessColumns = <Column extends string>(
  header: readonly string[],
  names: Readonly<Record<Column, readonly string[]>>,
): ColumnMapping<Column> =>
  header.map((cell) => {
    const name = cell.toLowerCase().replace(/[^a-z0-9]/g, '');
    return (Object.keys(names) as Column[]).find((column) => names[column].includes(name)) ?? null;
  });
