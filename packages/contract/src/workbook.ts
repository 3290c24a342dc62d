/** Reads the sheets of an XLSX file. Loaded only for such a file. */
import { type UnzipFileInfo, unzipSync, zipSync } from 'fflate';
import readXlsxFile from 'read-excel-file/universal';
import { type FileLimits, fileTexts, maxCells, maxRowLength, maxWorkbookBytes } from './csv-file.ts';
import type { ListRow } from './list-file.ts';

export interface Sheet {
  readonly name: string;
  /** Without empty rows; at least one. */
  readonly rows: readonly ListRow[];
}

/** `problem`: the sentence that explains why the file cannot be used. */
export type Workbook = { readonly sheets: readonly Sheet[] } | { readonly problem: string };

/** Of the XML after decompression. */
const maxXmlBytes = 48 * 1024 * 1024;
/** Of a sheet, with the empty ones: the library stores a value for each. */
const maxSheetCells = 4_000_000;

/** Returns the sheets that have rows. */
export async function readWorkbook(bytes: Uint8Array, name: string, limits: FileLimits): Promise<Workbook> {
  if (bytes.length > maxWorkbookBytes) return { problem: fileTexts.largeWorkbook(name) };
  const broken = { problem: fileTexts.brokenWorkbook(name) };
  try {
    const parts = unpack(bytes);
    if (parts === null) return { problem: fileTexts.largeWorkbook(name) };
    for (const part of Object.values(parts)) {
      const problem = findSheetProblem(new TextDecoder().decode(part), name, limits);
      if (problem !== null) return { problem };
    }
    // Without compression, because the library decompresses large parts in a worker that the security policy forbids.
    const archive = zipSync(parts, { level: 0 });
    const sheets = await readXlsxFile(archive.slice().buffer, { parseNumber: (text) => text });
    const filled = sheets
      .map(({ sheet, data }) => ({ name: sheet, rows: toRows(data) }))
      .filter(({ rows }) => rows.length > 0);
    if (filled.some(({ rows }) => rows.some(isTooLong))) return { problem: fileTexts.largeWorkbook(name) };
    return filled.length === 0 ? { problem: fileTexts.empty(name) } : { sheets: filled };
  } catch {
    // Not a workbook, or one with parts that the library does not read.
    return broken;
  }
}

/** Returns the XML parts, or null if they are too large. */
function unpack(bytes: Uint8Array): Record<string, Uint8Array> | null {
  let total = 0;
  // `unzipSync` never writes more bytes than the archive declares.
  const isNeeded = ({ name, originalSize }: UnzipFileInfo): boolean => {
    if (!/\.(?:xml|rels)$/.test(name)) return false;
    total += originalSize;
    return total <= maxXmlBytes;
  };
  const parts = unzipSync(bytes, { filter: isNeeded });
  return total > maxXmlBytes ? null : parts;
}

/** A position of a row or of a cell: `17` or `B17`. */
const positions = /\sr\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** The library fills the rows and columns before a position, so one cell at the end of a sheet would need all the memory. */
function findSheetProblem(xml: string, name: string, limits: FileLimits): string | null {
  // A sheet can have any path in the archive.
  if (!xml.includes('sheetData')) return null;
  let lastRow = 0;
  let lastColumn = 0;
  for (const [, first, second] of xml.matchAll(positions)) {
    const position = /^([A-Z]{0,3})(\d{1,7})$/.exec(first ?? second ?? '');
    if (position === null) return fileTexts.brokenWorkbook(name);
    const [, letters = '', digits = ''] = position;
    lastRow = Math.max(lastRow, Number(digits));
    lastColumn = Math.max(lastColumn, toColumnNumber(letters));
  }
  if (lastRow > limits.rows + 1) return fileTexts.tooManyRows(name, limits);
  if (lastColumn > maxCells) return `${name} has more than ${maxCells} columns.`;
  return lastRow * lastColumn > maxSheetCells ? fileTexts.largeWorkbook(name) : null;
}

/** `A` is 1, `AA` is 27. */
const toColumnNumber = (letters: string): number =>
  Array.from(letters).reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0);

const toRows = (data: readonly (readonly unknown[])[]): readonly ListRow[] =>
  data.flatMap((cells, index) => {
    const record = cells.map((cell) => toText(cell).trim());
    return record.some((text) => text !== '') ? [{ record, line: index + 1 }] : [];
  });

/** All cells can refer to the same text, so the XML does not limit their length. */
const isTooLong = ({ record }: ListRow): boolean =>
  record.reduce((length, cell) => length + cell.length, 0) > maxRowLength;

function toText(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  if (!(cell instanceof Date)) return String(cell);
  const [day = '', time = ''] = cell.toISOString().split('T');
  return time === '00:00:00.000Z' ? day : `${day}T${time.slice(0, 5)}Z`;
}
