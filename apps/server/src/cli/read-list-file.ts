/** Reads a CSV file or a workbook in small steps, so that a large file does not block other requests. */
import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
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
  type ListFile,
  type ListRow,
  type Reading,
  type ReadingChoice,
} from '@lanternrock/contract/list-file';
import { encodings, sampleWords } from '@lanternrock/contract/text-encoding';
import { toTerminalText } from '../log.ts';
import { slicesInTurns } from '../slices.ts';
import type { CommandFiles } from './command-files.ts';
import { readInput } from './read-input.ts';
import { UsageError } from './usage-error.ts';

interface ListOptions {
  readonly limits: FileLimits;
  readonly columnNames: Readonly<Record<string, ColumnNames>>;
  readonly choice: ReadingChoice;
}

/**
 * Reads the whole file before any row is used.
 *
 * @param file as the operator typed it
 * @throws UsageError with one sentence that names the file
 */
export async function readListFile(
  files: CommandFiles,
  file: string,
  { limits, columnNames, choice }: ListOptions,
): Promise<ListFile> {
  const { name, bytes } = await readInput(files, file, limits.bytes);
  if (!bytes) throw new UsageError(fileTexts.tooLarge(name, limits));
  const { rows, reading } = isZipArchive(bytes)
    ? await readSheet(bytes, name, limits, choice)
    : await readText(bytes, name, limits, choice);
  const list = createListFile(rows, { name, limits, reading, hasHeader: choice.hasHeader, columnNames });
  if ('problem' in list) throw new UsageError(list.problem);
  return list;
}

interface Rows {
  readonly rows: readonly ListRow[];
  readonly reading: Reading;
}

async function readSheet(
  bytes: Uint8Array,
  name: string,
  limits: FileLimits,
  choice: ReadingChoice,
): Promise<Rows> {
  const { readWorkbook } = await import('@lanternrock/contract/workbook');
  const workbook = await readWorkbook(bytes, name, limits);
  if ('problem' in workbook) throw new UsageError(workbook.problem);
  const sheets = workbook.sheets.map((sheet) => sheet.name);
  const { sheet: wanted = sheets[0] ?? '' } = choice;
  const sheet = workbook.sheets.find((each) => each.name === wanted);
  if (!sheet)
    throw new UsageError(
      `${name} has no sheet "${wanted}" with rows, but: ${sheets.map((each) => toTerminalText(each)).join(', ')}.`,
    );
  return { rows: sheet.rows, reading: { text: null, workbook: { sheet: sheet.name, sheets } } };
}

async function readText(
  bytes: Uint8Array,
  name: string,
  limits: FileLimits,
  choice: ReadingChoice,
): Promise<Rows> {
  const decoded = decodeFile(bytes, name, limits, choice.encoding);
  if ('problem' in decoded) throw new UsageError(decoded.problem);
  const { encoding } = decoded;
  // Only the operator can tell if the letters are right.
  if (decoded.isGuessed) throw new UsageError(describeGuess(name, encoding, sampleWords(decoded.text)));
  const csv = splitSeparatorLine(decoded.text, choice.delimiter);
  const rows = await parseRows(csv, name, limits);
  const text = { encoding, delimiter: csv.delimiter, isGuessed: false, sample: [] };
  return { rows, reading: { text, workbook: null } };
}

function describeGuess(name: string, encoding: keyof typeof encodings, sample: readonly string[]): string {
  const words = sample.map((word) => `"${toTerminalText(word)}"`).join(', ');
  return (
    `${name} is not UTF-8. Read as ${encoding}, it contains ${words}. If these words are right, add ` +
    `--encoding ${encoding}; otherwise one of ${Object.keys(encodings).join(', ')}.`
  );
}

async function parseRows(
  { text, delimiter }: CsvText,
  name: string,
  limits: FileLimits,
): Promise<readonly ListRow[]> {
  const checkCells = createCellCheck(delimiter);
  for await (const chunk of slicesInTurns(text, chunkLength)) {
    const line = checkCells(chunk);
    if (line !== null) throw new UsageError(fileTexts.manyCells(name, line));
  }
  const parser = Readable.from(slicesInTurns(text, chunkLength)).pipe(parse(csvOptions(delimiter)));
  const rows: ListRow[] = [];
  try {
    for await (const parsed of parser as AsyncIterable<CsvRecord>) {
      rows.push({ record: parsed.record, line: startLine(parsed) });
      // The header and one row more than the limit.
      if (rows.length === limits.rows + 2) break;
    }
  } catch (error) {
    if (error instanceof CsvError) throw new UsageError(fileTexts.unclosed(name, Number(error['lines'])));
    throw error;
  }
  return rows;
}

/** Characters that are parsed in one turn of the event loop. */
const chunkLength = 65_536;
