/** Rows that a body gives as CSV (RFC 4180) or as a form; Postgres reads them as the JSON that they stand for. */
import { CsvError, parse } from 'csv-parse/sync';
import { Refusal } from '../errors.ts';
import { bracketDepth } from '../json-depth.ts';
import { deepestBody, emptyOrInvalid, tooDeep, type JsonBody } from './request-body.ts';

/**
 * A header line and a line per row; `NULL` is null, every other cell a text.
 * @param mostBytes of the JSON that it stands for: each line repeats the names of the header
 * @throws Refusal 400 PGRST102; 413
 */
export function readCsv(text: string, mostBytes: number): JsonBody {
  const [keys, ...lines] = parseCsv(text);
  if (!keys) throw emptyOrInvalid('csv');
  if (new Set(keys).size < keys.length) {
    throw new Refusal(400, 'PGRST102', 'The names in the first line must differ');
  }
  const names = keys.map((key) => `${JSON.stringify(key)}:`);
  const rows: string[] = [];
  let bytes = 0;
  for (const cells of lines) {
    const row = `{${cells.map((cell, index) => `${names[index]}${cell === 'NULL' ? 'null' : JSON.stringify(cell)}`).join(',')}}`;
    bytes += row.length;
    if (bytes > mostBytes) {
      throw new Refusal(413, '413', `The rows of the csv are larger than ${mostBytes} bytes of json`);
    }
    rows.push(row);
  }
  return { text: `[${rows.join(',')}]`, isArray: true, keys: rows.length > 0 ? keys : [] };
}

function parseCsv(text: string): string[][] {
  try {
    return parse(text, { bom: true, record_delimiter: ['\r\n', '\n', '\r'], skip_empty_lines: true });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const uneven = error.code === 'CSV_RECORD_INCONSISTENT_FIELDS_LENGTH';
    throw new Refusal(
      400,
      'PGRST102',
      uneven ? 'All lines must have same number of fields' : 'Empty or invalid csv',
      { details: `Line ${String(error['lines'])}` },
    );
  }
}

/**
 * The pairs of a form (WHATWG URL, application/x-www-form-urlencoded), in order.
 * @throws Refusal 400 PGRST102 for what Postgres cannot hold or must not parse
 */
export function readPairs(text: string): [string, string][] {
  const pairs = [...new URLSearchParams(text)];
  for (const pair of pairs) {
    if (pair.some((part) => part.includes('\0'))) throw emptyOrInvalid('form');
    if (bracketDepth(pair[1]) > deepestBody) throw tooDeep('form');
  }
  return pairs;
}

/** One row; of a name that repeats the last value counts. */
export function readForm(text: string): JsonBody {
  const row = Object.fromEntries(readPairs(text));
  return { text: JSON.stringify(row), isArray: false, keys: Object.keys(row) };
}
