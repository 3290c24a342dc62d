/** Writes CSV files (RFC 4180) that spreadsheet programs can open safely. */
import { guardFormulas, quotedMatch } from '@lanternrock/contract/csv-guard';
import { stringify, type Options } from 'csv-stringify/sync';

/** A time is written in RFC 3339, null as an empty cell. */
export type CsvCell = string | number | Date | null;

const options: Options = {
  record_delimiter: 'windows',
  quoted_match: quotedMatch,
  // `escape_formulas` of the library checks the first character only, and an import could not undo it.
  cast: { date: (time) => time.toISOString(), string: guardFormulas },
};

/** Returns the lines of the rows; '' for none. */
export const csvLines = (rows: readonly (readonly CsvCell[])[]): string =>
  // The library needs a mutable array type, and does not change it.
  stringify(rows as CsvCell[][], options);

/** Returns the first line of a file, with the byte order mark that Excel needs to recognize UTF-8. */
export const formatCsvHeader = (columns: readonly string[]): string => `\uFEFF${csvLines([columns])}`;
