/** Parses a CSV file. `use-csv-file.ts` calls it in a worker. */
import {
  createCellCheck,
  csvOptions,
  decodeFile,
  detectDelimiter,
  type FileLimits,
  fileTexts,
} from '@lanternrock/contract/csv-file';
import { CsvError, parse } from 'csv-parse/browser/esm/sync';

export interface CsvFile {
  readonly name: string;
  readonly header: readonly string[];
  /** At least one. */
  readonly records: readonly (readonly string[])[];
  /** Line of each record. */
  readonly lines: readonly number[];
}

/** `problem`: the sentence that explains why the file cannot be used. */
export type CsvResult = CsvFile | { readonly problem: string };

interface Parsed {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

export function readCsv(bytes: Uint8Array, name: string, limits: FileLimits): CsvResult {
  const decoded = decodeFile(bytes, name, limits);
  if ('problem' in decoded) return decoded;
  const { text } = decoded;
  const delimiter = detectDelimiter(text);
  const wideLine = createCellCheck(delimiter)(text);
  if (wideLine !== null) return { problem: fileTexts.manyCells(name, wideLine) };
  let parsed: readonly Parsed[];
  try {
    // The header and one row more than the limit. The types of the library know no records with `info`.
    parsed = parse(text, { ...csvOptions(delimiter), to: limits.rows + 2 }) as unknown as readonly Parsed[];
  } catch (error) {
    if (error instanceof CsvError) return { problem: fileTexts.unclosed(name, Number(error['lines'])) };
    throw error;
  }
  const [header, ...rows] = parsed;
  if (header === undefined) return { problem: fileTexts.empty(name) };
  if (rows.length === 0) return { problem: fileTexts.noRows(name) };
  if (rows.length > limits.rows) return { problem: fileTexts.tooManyRows(name, limits) };
  return {
    name,
    header: header.record,
    records: rows.map(({ record }) => record),
    lines: rows.map(({ info }) => info.lines),
  };
}
