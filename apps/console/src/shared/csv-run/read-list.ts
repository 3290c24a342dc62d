/** Reads a CSV file or a workbook. `csv-worker.ts` calls it. */
import type { ColumnNames } from '@lanternrock/contract/column-guess';
import {
  createCellCheck,
  type CsvRecord,
  csvOptions,
  type CsvText,
  decodeFile,
  type FileLimits,
  fileTexts,
  isZipArchive,
  splitSeparatorLine,
  startLine,
} from '@lanternrock/contract/csv-file';
import {
  createListFile,
  type ListResult,
  type ListRow,
  type Reading,
  type ReadingChoice,
} from '@lanternrock/contract/list-file';
import { sampleWords } from '@lanternrock/contract/text-encoding';
import { CsvError, parse } from 'csv-parse/browser/esm/sync';

export interface ReadRequest {
  readonly bytes: Uint8Array;
  readonly name: string;
  readonly limits: FileLimits;
  readonly columnNames: Readonly<Record<string, ColumnNames>>;
  readonly choice: ReadingChoice;
}

type RowsResult =
  | { readonly rows: readonly ListRow[]; readonly reading: Reading }
  | { readonly problem: string };

export async function readList(request: ReadRequest): Promise<ListResult> {
  const { bytes, name, limits, columnNames, choice } = request;
  // The limits of a workbook are lower, and depend on its content.
  const result = isZipArchive(bytes) ? await readSheet(request) : readText(request);
  if ('problem' in result) return result;
  const { rows, reading } = result;
  return createListFile(rows, { name, limits, reading, hasHeader: choice.hasHeader, columnNames });
}

async function readSheet({ bytes, name, limits, choice }: ReadRequest): Promise<RowsResult> {
  const { readWorkbook } = await import('@lanternrock/contract/workbook');
  const workbook = await readWorkbook(bytes, name, limits);
  if ('problem' in workbook) return workbook;
  const [first] = workbook.sheets;
  const sheet = workbook.sheets.find((each) => each.name === choice.sheet) ?? first;
  if (sheet === undefined) return { problem: fileTexts.empty(name) };
  const sheets = workbook.sheets.map((each) => each.name);
  return { rows: sheet.rows, reading: { text: null, workbook: { sheet: sheet.name, sheets } } };
}

function readText({ bytes, name, limits, choice }: ReadRequest): RowsResult {
  const decoded = decodeFile(bytes, name, limits, choice.encoding);
  if ('problem' in decoded) return decoded;
  const { encoding } = decoded;
  const csv = splitSeparatorLine(decoded.text, choice.delimiter);
  const rows = parseRows(csv, name, limits);
  if ('problem' in rows) return rows;
  const sample = encoding === 'utf-8' ? [] : sampleWords(decoded.text);
  return {
    rows,
    reading: {
      text: { encoding, delimiter: csv.delimiter, sample, isGuessed: decoded.isGuessed },
      workbook: null,
    },
  };
}

function parseRows(
  { text, delimiter }: CsvText,
  name: string,
  limits: FileLimits,
): readonly ListRow[] | { readonly problem: string } {
  const wideLine = createCellCheck(delimiter)(text);
  if (wideLine !== null) return { problem: fileTexts.manyCells(name, wideLine) };
  try {
    // The header and one row more than the limit. The types of the library know no records with `info`.
    const parsed = parse(text, {
      ...csvOptions(delimiter),
      to: limits.rows + 2,
    }) as unknown as readonly CsvRecord[];
    return parsed.map((each) => ({ record: each.record, line: startLine(each) }));
  } catch (error) {
    if (error instanceof CsvError) return { problem: fileTexts.unclosed(name, Number(error['lines'])) };
    throw error;
  }
}
