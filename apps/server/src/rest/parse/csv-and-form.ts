/** Rows that a body gives as CSV (RFC 4180) or as a form; Postgres reads them as the JSON that they stand for. */
import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { bracketDepth } from '@lanternrock/postgres/json-depth';
import { ApiError } from '../../errors.ts';
import { splitIntoChunks } from '../../chunks.ts';
import { maxBodyDepth, emptyOrInvalidError, nestingError, type JsonBody } from './request-body.ts';

/**
 * A header line and a line per row; `NULL` is null, every other cell a text.
 * @param mostBytes of the JSON that it stands for: each line repeats the names of the header
 * @throws ApiError 400 PGRST102; 413
 */
export async function parseCsv(text: string, mostBytes: number): Promise<JsonBody> {
  const rows: string[] = [];
  let keys: readonly string[] | null = null;
  let names: readonly string[] = [];
  let bytes = 0;
  try {
    for await (const cells of csvLines(text)) {
      if (keys === null) {
        keys = cells;
        names = namesOf(cells);
        continue;
      }
      const row = `{${cells.map((cell, index) => `${names[index]}${cell === 'NULL' ? 'null' : JSON.stringify(cell)}`).join(',')}}`;
      bytes += Buffer.byteLength(row);
      if (bytes > mostBytes) {
        throw new ApiError(413, '413', `The rows of the csv are larger than ${mostBytes} bytes of json`);
      }
      rows.push(row);
    }
  } catch (error) {
    throw error instanceof CsvError ? csvRefusal(error) : error;
  }
  if (keys === null) throw emptyOrInvalidError('csv');
  return { text: `[${rows.join(',')}]`, isArray: true, keys: rows.length > 0 ? keys : [] };
}

function csvLines(text: string): AsyncIterable<readonly string[]> {
  const parser = parse({ bom: true, record_delimiter: ['\r\n', '\n', '\r'], skip_empty_lines: true });
  return Readable.from(splitIntoChunks(Buffer.from(text))).pipe(parser) as AsyncIterable<readonly string[]>;
}

/** The first line's cells as the beginnings of JSON members. */
function namesOf(keys: readonly string[]): string[] {
  if (new Set(keys).size < keys.length) {
    throw new ApiError(400, 'PGRST102', 'The names in the first line must differ');
  }
  return keys.map((key) => `${JSON.stringify(key)}:`);
}

function csvRefusal(error: CsvError): ApiError {
  const uneven = error.code === 'CSV_RECORD_INCONSISTENT_FIELDS_LENGTH';
  const message = uneven ? 'All lines must have same number of fields' : 'Empty or invalid csv';
  return new ApiError(400, 'PGRST102', message, { details: `Line ${String(error['lines'])}` });
}

/** Most pairs of one form; a row has fewer columns. */
const mostPairs = 10_000;

/**
 * The pairs of a form (WHATWG URL, application/x-www-form-urlencoded), in order.
 * @throws ApiError 400 PGRST102 for what Postgres cannot hold or must not parse
 */
export function parseFormPairs(text: string): [string, string][] {
  if (text.split('&').length > mostPairs) {
    throw new ApiError(400, 'PGRST102', `The form takes at most ${mostPairs} pairs`);
  }
  const pairs = [...new URLSearchParams(text)];
  for (const pair of pairs) {
    if (pair.some((part) => part.includes('\0'))) throw emptyOrInvalidError('form');
    if (bracketDepth(pair[1]) > maxBodyDepth) throw nestingError('form');
  }
  return pairs;
}

/** One row; of a name that repeats the last value counts. */
export function parseForm(text: string): JsonBody {
  const row = Object.fromEntries(parseFormPairs(text));
  return { text: JSON.stringify(row), isArray: false, keys: Object.keys(row) };
}
