/** Reads and checks a CSV file of accounts in small steps, so that a large file does not block other requests. */
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CsvError, parse } from 'csv-parse';
import {
  findColumnProblem,
  importColumnNames,
  importFileLimits,
  toImportRow,
  type BrokenRow,
  type ImportColumn,
  type ImportRow,
} from '@lanternrock/contract/account-import';
import {
  createCellCheck,
  csvOptions,
  decodeFile,
  detectDelimiter,
  fileTexts,
  guessColumns,
  type ColumnMapping,
} from '@lanternrock/contract/csv-file';
import type { CommandFiles } from './command-files.ts';
import { readInput } from './read-input.ts';
import { UsageError } from './usage-error.ts';

/** Characters that are parsed in one turn of the event loop. */
const chunkLength = 65_536;

interface AccountFile {
  /** Columns of the file that are not imported. */
  readonly ignored: readonly string[];
  readonly rows: readonly (ImportRow | BrokenRow)[];
}

/**
 * Reads the whole file before any row is used.
 *
 * @param file as the operator typed it
 * @throws UsageError with one sentence that names the file
 */
export async function readAccountFile(files: CommandFiles, file: string): Promise<AccountFile> {
  const { name, bytes } = await readInput(files, file, importFileLimits.bytes);
  if (!bytes) throw new UsageError(fileTexts.tooLarge(name, importFileLimits));
  const decoded = decodeFile(bytes, name, importFileLimits);
  if ('problem' in decoded) throw new UsageError(decoded.problem);
  const { text } = decoded;
  const delimiter = detectDelimiter(text);
  const checkCells = createCellCheck(delimiter);
  for await (const chunk of splitIntoChunks(text)) {
    const line = checkCells(chunk);
    if (line !== null) throw new UsageError(fileTexts.manyCells(name, line));
  }
  const parser = Readable.from(splitIntoChunks(text)).pipe(parse(csvOptions(delimiter)));
  let header: readonly string[] = [];
  let mapping: ColumnMapping<ImportColumn> | null = null;
  const rows: (ImportRow | BrokenRow)[] = [];
  try {
    for await (const { record, info } of parser as AsyncIterable<Parsed>) {
      if (mapping === null) {
        header = record;
        mapping = guessColumns(header, importColumnNames);
        const problem = findColumnProblem(mapping, header, name);
        if (problem !== null) throw new UsageError(problem);
        continue;
      }
      if (rows.length === importFileLimits.rows)
        throw new UsageError(fileTexts.tooManyRows(name, importFileLimits));
      rows.push(toImportRow(record, mapping, info.lines));
    }
  } catch (error) {
    if (error instanceof CsvError) throw new UsageError(fileTexts.unclosed(name, Number(error['lines'])));
    throw error;
  }
  if (rows.length === 0) throw new UsageError(fileTexts.noRows(name));
  return { ignored: header.filter((_, index) => mapping?.[index] === null), rows };
}

interface Parsed {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/** Yields each piece in a later turn of the event loop, so that a large file does not block other requests. */
async function* splitIntoChunks(text: string): AsyncGenerator<string> {
  for (let offset = 0; offset < text.length; offset += chunkLength) {
    yield text.slice(offset, offset + chunkLength);
    await nextTurn();
  }
}
