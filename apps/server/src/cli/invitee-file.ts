/** Reads a list of invitees from a CSV file (RFC 4180) in the formats of spreadsheet programs. */
import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CsvError, parse } from 'csv-parse';
import { formatCount } from '@lanternrock/contract/format-count';
import { startsLikeFormula, type InviteeRow } from '@lanternrock/contract/invitation-list';
import { toTerminalText } from '../log.ts';
import type { CommandFiles } from './command-files.ts';
import { UsageError } from './usage-error.ts';
import { readInput } from './read-input.ts';

const maxRows = 100_000;
/** Sufficient for 100,000 rows. */
const maxFileBytes = 32 * 1024 * 1024;
const chunkBytes = 16_384;
/** In characters. A longer row usually has an unclosed quotation mark. */
const maxRowLength = 4096;
/** Limits the memory of a row of empty cells, which `maxRowLength` does not count. */
const maxCells = 100;

/**
 * Reads and validates the whole file before any row is used.
 *
 * @param file as the operator typed it
 * @throws UsageError with one line that names the file and the invalid line
 */
export async function readInviteeFile(files: CommandFiles, file: string): Promise<readonly InviteeRow[]> {
  const { name, bytes } = await readInput(files, file, maxFileBytes);
  if (!bytes) throw new UsageError(`${name} is larger than 32 MB. Split it.`);
  if (!isUtf8(bytes)) throw new UsageError(`${name} is not UTF-8. Save it as "CSV UTF-8".`);
  const delimiter = detectDelimiter(bytes);
  await requireFewCells(bytes, delimiter, name);
  const parser = Readable.from(splitIntoChunks(bytes)).pipe(
    parse({
      bom: true,
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      info: true,
      max_record_size: maxRowLength,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      trim: true,
    }),
  );
  const rows: InviteeRow[] = [];
  let columns: Columns | null = null;
  try {
    for await (const { record, info } of parser as AsyncIterable<Parsed>) {
      if (columns === null) {
        columns = parseHeader(record, name);
        continue;
      }
      if (rows.length === maxRows)
        throw new UsageError(`${name} has more than ${formatCount(maxRows)} rows. Split it.`);
      rows.push(parseRow(record, columns, info.lines, name));
    }
  } catch (error) {
    throw error instanceof CsvError
      ? new UsageError(describeCsvError(error, name, columns?.names.length ?? 2))
      : error;
  }
  if (columns === null) throw new UsageError(`${name} is empty.`);
  if (rows.length === 0) throw new UsageError(`${name} has no rows below its header.`);
  return rows;
}

interface Parsed {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/** Index of each column; -1 without the column. */
interface Columns {
  readonly names: readonly string[];
  readonly email: number;
  readonly fullName: number;
  readonly note: number;
  readonly expires: number;
}

/** Spreadsheet programs write semicolons in locales with a decimal comma. */
function detectDelimiter(bytes: Buffer): ',' | ';' {
  const [header = ''] = bytes.toString('utf8', 0, 1024).split(/[\r\n]/, 1);
  return header.includes(';') && !header.includes(',') ? ';' : ',';
}

/**
 * Counts the cells of each row before parsing, because the parser holds a whole row in memory. Its `cast` option could
 * count them as well, but makes it four times slower.
 *
 * @throws UsageError for a row of more than `maxCells` cells
 */
async function requireFewCells(bytes: Buffer, delimiter: string, name: string): Promise<void> {
  const [quote, cr, lf, separator] = Buffer.from(`"\r\n${delimiter}`);
  let line = 1;
  let cells = 1;
  let quoted = false;
  let previous = 0;
  for await (const chunk of splitIntoChunks(bytes)) {
    for (const byte of chunk) {
      // An escaped quotation mark is two of them, which leave the cell quoted.
      if (byte === quote) quoted = !quoted;
      else if (byte === cr || byte === lf) {
        if (byte === cr || previous !== cr) line += 1;
        if (!quoted) cells = 1;
      } else if (byte === separator && !quoted) {
        cells += 1;
        if (cells > maxCells)
          throw new UsageError(`Line ${line} of ${name} has more than ${maxCells} cells.`);
      }
      previous = byte;
    }
  }
}

const knownColumns: ReadonlySet<string> = new Set(['email', 'name', 'full_name', 'note', 'expires']);

function parseHeader(header: readonly string[], name: string): Columns {
  const names = header.map((cell) => cell.toLowerCase());
  const email = names.indexOf('email');
  const fullName = names.findIndex((cell) => cell === 'name' || cell === 'full_name');
  // An additional column, such as a role, would be ignored although the operator expects an effect.
  const isKnown = names.every((cell) => knownColumns.has(cell)) && new Set(names).size === names.length;
  const hasOneName = names.filter((cell) => cell === 'name' || cell === 'full_name').length === 1;
  if (isKnown && hasOneName && email >= 0)
    return { names, email, fullName, note: names.indexOf('note'), expires: names.indexOf('expires') };
  const found = header.map((cell) => toTerminalText(cell)).join(', ');
  throw new UsageError(
    `The first line of ${name} must be "email,name" (or full_name), optionally with note and expires, not "${found}".`,
  );
}

function parseRow(record: readonly string[], columns: Columns, line: number, name: string): InviteeRow {
  const { names, email, fullName } = columns;
  const invalid = [email, fullName].find((index) => startsLikeFormula(record[index] ?? ''));
  if (invalid !== undefined)
    throw new UsageError(
      `Line ${line} of ${name}: ${names[invalid]} starts with "${record[invalid]?.[0]}" like a formula.`,
    );
  return {
    line,
    email: record[email] ?? '',
    fullName: record[fullName] ?? '',
    note: record[columns.note],
    expires: record[columns.expires],
  };
}

const numberWords = ['no', 'one', 'two', 'three', 'four'];

function describeCsvError(error: CsvError, name: string, cells: number): string {
  const position = `Line ${String(error['lines'])} of ${name}`;
  if (error.code === 'CSV_RECORD_INCONSISTENT_FIELDS_LENGTH')
    return `${position} does not have ${numberWords[cells] ?? cells} cells.`;
  if (error.code === 'CSV_MAX_RECORD_SIZE')
    return `${position} is too long, or a quotation mark is not closed.`;
  return `${position}: a quotation mark is not closed, or is inside an unquoted cell.`;
}

/**
 * Yields a file in chunks, each in a later turn of the event loop, so that parsing does not block other requests.
 */
async function* splitIntoChunks(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let offset = 0; offset < bytes.length; offset += chunkBytes) {
    yield bytes.subarray(offset, offset + chunkBytes);
    await nextTurn();
  }
}
