/** Reads a list of invitees from a file or from pasted text. */
import {
  createCellCheck,
  csvOptions,
  decodeFile,
  detectDelimiter,
  fileTexts,
} from '@lanternrock/contract/account-file';
import { CsvError, parse } from 'csv-parse/browser/esm/sync';
import { inviteListText } from './invite-list-text.ts';

const maxBytes = 5 * 1024 * 1024;
const maxRows = 20_000;

export interface ListFile {
  readonly name: string;
  readonly header: readonly string[];
  /** At least one. */
  readonly records: readonly (readonly string[])[];
  /** Line of each record. */
  readonly lines: readonly number[];
}

/** `problem`: the sentence that explains why the list cannot be used. */
export type ListResult = ListFile | { readonly problem: string };

interface Parsed {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

const text = inviteListText.file;

export const parseList = (name: string, content: string): ListResult => {
  if (content.trim() === '') return { problem: fileTexts.empty(name) };
  const delimiter = detectDelimiter(content);
  const wideLine = createCellCheck(delimiter)(content);
  if (wideLine !== null) return { problem: fileTexts.manyCells(name, wideLine) };
  let parsed: readonly Parsed[];
  try {
    // The header and one row more than the limit. The types of the library know no records with `info`.
    parsed = parse(content, { ...csvOptions(delimiter), to: maxRows + 2 }) as unknown as readonly Parsed[];
  } catch (error) {
    if (error instanceof CsvError) return { problem: fileTexts.unclosed(name, Number(error['lines'])) };
    throw error;
  }
  const [header, ...rows] = parsed;
  if (header === undefined) return { problem: fileTexts.empty(name) };
  if (rows.length === 0) return { problem: fileTexts.noRows(name) };
  if (rows.length > maxRows) return { problem: text.tooManyRows(name) };
  return {
    name,
    header: header.record,
    records: rows.map(({ record }) => record),
    lines: rows.map(({ info }) => info.lines),
  };
};

export const readListFile = async (file: File): Promise<ListResult> => {
  const { name, size } = file;
  if (size > maxBytes) return { problem: text.tooLarge(name) };
  let bytes: Uint8Array;
  try {
    bytes = new Uint8Array(await file.arrayBuffer());
  } catch {
    // The file was moved or changed after it was chosen.
    return { problem: text.unreadable(name) };
  }
  const decoded = decodeFile(bytes, name);
  return 'problem' in decoded ? decoded : parseList(name, decoded.text);
};
