/** Converts CSV bodies (RFC 4180) and form bodies to JSON for Postgres. */
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CsvError, parse } from 'csv-parse';
import { bracketDepth } from '@lanternrock/postgres/json-depth';
import { RestError } from '../errors.ts';
import { maxBodyDepth, emptyOrInvalidError, nestingError, type JsonBody } from './request-body.ts';

const chunkBytes = 16_384;

/**
 * Parses a header line and one line per row. `NULL` becomes null; all other cells are strings.
 *
 * @param maxBytes of the resulting JSON, in which each row repeats the names of the header
 * @throws RestError 400 PGRST102; 413
 */
export async function parseCsv(text: string, maxBytes: number): Promise<JsonBody> {
  const rows: string[] = [];
  let keys: readonly string[] | null = null;
  let memberPrefixes: readonly string[] = [];
  let bytes = 0;
  try {
    for await (const cells of csvLines(text)) {
      if (keys === null) {
        keys = cells;
        memberPrefixes = toMemberPrefixes(cells);
        continue;
      }
      const row = `{${cells.map((cell, index) => `${memberPrefixes[index]}${cell === 'NULL' ? 'null' : JSON.stringify(cell)}`).join(',')}}`;
      bytes += Buffer.byteLength(row);
      if (bytes > maxBytes) throw tooLargeError('csv', maxBytes);
      rows.push(row);
    }
  } catch (error) {
    throw error instanceof CsvError ? csvError(error) : error;
  }
  if (keys === null) throw emptyOrInvalidError('csv');
  return { text: `[${rows.join(',')}]`, isArray: true, keys: rows.length > 0 ? keys : [] };
}

function csvLines(text: string): AsyncIterable<readonly string[]> {
  const parser = parse({ bom: true, record_delimiter: ['\r\n', '\n', '\r'], skip_empty_lines: true });
  return Readable.from(splitIntoChunks(Buffer.from(text))).pipe(parser) as AsyncIterable<readonly string[]>;
}

/**
 * Yields a text in chunks, each in a later turn of the event loop, so that parsing does not block other requests.
 */
async function* splitIntoChunks(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let offset = 0; offset < bytes.length; offset += chunkBytes) {
    yield bytes.subarray(offset, offset + chunkBytes);
    await nextTurn();
  }
}

/** Converts the cells of the first line to the names of JSON members, each with its colon. */
function toMemberPrefixes(keys: readonly string[]): string[] {
  if (new Set(keys).size < keys.length) {
    throw new RestError(400, 'PGRST102', 'The names in the first line must differ');
  }
  return keys.map((key) => `${JSON.stringify(key)}:`);
}

function csvError(error: CsvError): RestError {
  const uneven = error.code === 'CSV_RECORD_INCONSISTENT_FIELDS_LENGTH';
  const message = uneven ? 'All lines must have same number of fields' : 'Empty or invalid csv';
  return new RestError(400, 'PGRST102', message, { details: `Line ${String(error['lines'])}` });
}

/** Maximum number of pairs in a form, which is more than the maximum number of columns of a table. */
const maxPairs = 10_000;

/**
 * Parses the pairs of a form (WHATWG URL, application/x-www-form-urlencoded), in order.
 *
 * @throws RestError 400 PGRST102 for NUL characters, too many pairs or values that are nested too deeply
 */
export function parseFormPairs(text: string): [string, string][] {
  if (text.split('&').length > maxPairs) {
    throw new RestError(400, 'PGRST102', `A form accepts at most ${maxPairs} pairs`);
  }
  const pairs = [...new URLSearchParams(text)];
  for (const pair of pairs) {
    if (pair.some((part) => part.includes('\0'))) throw emptyOrInvalidError('form');
    if (bracketDepth(pair[1]) > maxBodyDepth) throw nestingError('form');
  }
  return pairs;
}

/**
 * Parses a form as one row. If a name is repeated, the last value applies.
 *
 * @param maxBytes of the resulting JSON, in which a control character takes six bytes
 * @throws RestError 400 PGRST102; 413
 */
export function parseForm(text: string, maxBytes: number): JsonBody {
  const row = Object.fromEntries(parseFormPairs(text));
  const json = JSON.stringify(row);
  if (Buffer.byteLength(json) > maxBytes) throw tooLargeError('form', maxBytes);
  return { text: json, isArray: false, keys: Object.keys(row) };
}

const tooLargeError = (type: 'csv' | 'form', maxBytes: number): RestError =>
  new RestError(413, '413', `The ${type} is larger than ${maxBytes} bytes as json`);
