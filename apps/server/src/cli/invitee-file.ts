/**
 * Reads a list of people from a CSV file (RFC 4180) as spreadsheet programs write it. Whatever is wrong
 * with the file as a whole is told in one line, before anything is done with any row.
 */
import { isUtf8 } from 'node:buffer';
import fs from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { toTerminalText } from '../log.ts';
import { splitIntoChunks } from '../chunks.ts';
import { UsageError } from './parse-arguments.ts';

export interface InviteeRow {
  /** Of the file, counted from 1; the header is line 1. */
  readonly line: number;
  /** Both as they stand in the file, without surrounding spaces. */
  readonly email: string;
  readonly fullName: string;
}

const mostRows = 100_000;
/** Bytes; a hundred thousand honest rows need less. */
const largestFile = 32 * 1024 * 1024;
/** Characters of one row; more means a quotation mark that nobody closed. */
const longestRow = 4096;

/** Spreadsheet programs run such cells; a list that holds one was not made from people's names. */
const formula = /^[=+\-@]/;

/** @throws UsageError with one line that names the file and, where there is one, the line in it. */
export async function readInviteeFile(file: string): Promise<readonly InviteeRow[]> {
  const name = path.basename(file);
  const bytes = await readWhole(file, name);
  const parser = Readable.from(splitIntoChunks(bytes)).pipe(
    parse({
      bom: true,
      delimiter: delimiterOf(bytes),
      record_delimiter: ['\r\n', '\n', '\r'],
      info: true,
      max_record_size: longestRow,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      trim: true,
    }),
  );
  const people: InviteeRow[] = [];
  let columns: Columns | null = null;
  try {
    for await (const { record, info } of parser as AsyncIterable<Parsed>) {
      if (columns === null) {
        columns = columnsOf(record, name);
        continue;
      }
      if (people.length === mostRows)
        throw new UsageError(`${name} has more than ${mostRows.toLocaleString('en')} rows. Split it.`);
      people.push(personOf(record, columns, info.lines, name));
    }
  } catch (error) {
    throw error instanceof CsvError ? new UsageError(csvSentence(error, name)) : error;
  }
  if (columns === null) throw new UsageError(`${name} is empty.`);
  if (people.length === 0) throw new UsageError(`${name} has no rows below its header.`);
  return people;
}

interface Parsed {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

interface Columns {
  readonly names: readonly string[];
  readonly email: number;
  readonly fullName: number;
}

async function readWhole(file: string, name: string): Promise<Buffer> {
  try {
    const { size } = await fs.stat(file);
    if (size > largestFile) throw new UsageError(`${name} is larger than 32 MB. Split it.`);
    const bytes = await fs.readFile(file);
    if (isUtf8(bytes)) return bytes;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new UsageError(`${file} cannot be read (${code}).`);
  }
  throw new UsageError(`${name} is not UTF-8. Save it as "CSV UTF-8".`);
}

/** Where the comma separates decimals, spreadsheet programs write semicolons. */
function delimiterOf(bytes: Buffer): ',' | ';' {
  const [header = ''] = bytes.toString('utf8', 0, 1024).split(/[\r\n]/, 1);
  return header.includes(';') && !header.includes(',') ? ';' : ',';
}

function columnsOf(header: readonly string[], name: string): Columns {
  const names = header.map((cell) => cell.toLowerCase());
  const email = names.indexOf('email');
  const fullName = names.findIndex((cell) => cell === 'name' || cell === 'full_name');
  // A column that nobody reads, such as a role, would look as if it counted.
  if (names.length === 2 && email >= 0 && fullName >= 0) return { names, email, fullName };
  const found = header.map((cell) => toTerminalText(cell)).join(', ');
  throw new UsageError(`The first line of ${name} must be "email,name" (or full_name), not "${found}".`);
}

function personOf(
  record: readonly string[],
  { names, email, fullName }: Columns,
  line: number,
  name: string,
): InviteeRow {
  const bad = record.findIndex((cell) => formula.test(cell));
  if (bad >= 0)
    throw new UsageError(
      `Line ${line} of ${name}: ${names[bad]} begins with "${record[bad]?.[0]}", as a formula does.`,
    );
  return { line, email: record[email] ?? '', fullName: record[fullName] ?? '' };
}

function csvSentence(error: CsvError, name: string): string {
  const where = `Line ${String(error['lines'])} of ${name}`;
  if (error.code === 'CSV_RECORD_INCONSISTENT_FIELDS_LENGTH') return `${where} does not have two cells.`;
  if (error.code === 'CSV_MAX_RECORD_SIZE') return `${where} is too long, or a quotation mark is not closed.`;
  return `${where}: a quotation mark is not closed, or stands inside a cell.`;
}
