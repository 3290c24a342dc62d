/** Web worker that parses a CSV file, so that the page stays responsive. */
import {
  createCellCheck,
  csvOptions,
  decodeFile,
  detectDelimiter,
  fileTexts,
  importFileLimits,
} from '@lanternrock/contract/account-file';
import { CsvError, parse } from 'csv-parse/browser/esm/sync';

export interface ParsedFile {
  readonly name: string;
  readonly header: readonly string[];
  /** At least one. */
  readonly records: readonly (readonly string[])[];
  /** Line of each record. */
  readonly lines: readonly number[];
}

export type WorkerResponse = ParsedFile | { readonly problem: string };

interface Parsed {
  readonly record: string[];
  readonly info: { readonly lines: number };
}

function readFile(bytes: Uint8Array, name: string): WorkerResponse {
  const decoded = decodeFile(bytes, name);
  if ('problem' in decoded) return decoded;
  const { text } = decoded;
  const delimiter = detectDelimiter(text);
  const wideLine = createCellCheck(delimiter)(text);
  if (wideLine !== null) return { problem: fileTexts.manyCells(name, wideLine) };
  let parsed: readonly Parsed[];
  try {
    // The header and one row more than the limit. The types of the library know no records with `info`.
    const options = { ...csvOptions(delimiter), to: importFileLimits.rows + 2 };
    parsed = parse(text, options) as unknown as readonly Parsed[];
  } catch (error) {
    if (error instanceof CsvError) return { problem: fileTexts.unclosed(name, Number(error['lines'])) };
    throw error;
  }
  const [header, ...rows] = parsed;
  if (header === undefined) return { problem: fileTexts.empty(name) };
  if (rows.length === 0) return { problem: fileTexts.noRows(name) };
  if (rows.length > importFileLimits.rows) return { problem: fileTexts.tooManyRows(name) };
  return {
    name,
    header: header.record,
    records: rows.map(({ record }) => record),
    lines: rows.map(({ info }) => info.lines),
  };
}

addEventListener('message', ({ data }: MessageEvent<{ bytes: ArrayBuffer; name: string }>) => {
  postMessage(readFile(new Uint8Array(data.bytes), data.name));
});
