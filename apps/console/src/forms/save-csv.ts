/** Saves rows as a CSV file that spreadsheet programs can open safely. */
import { guardFormulas, quotedMatch } from '@lanternrock/contract/csv-guard';
import { stringify } from 'csv-stringify/browser/esm/sync';
import { saveFile } from '../ui/save-file.ts';

interface SaveCsvOptions {
  readonly action: string;
  /** Name of the file that the rows are results of. */
  readonly source: string;
  readonly header: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
  readonly text: { readonly running: string; readonly failed: string };
}

export const saveCsv = ({ action, source, header, rows, text }: SaveCsvOptions): Promise<void> => {
  const csv = stringify([[...header], ...rows.map((row) => [...row])], {
    // Excel recognizes UTF-8 by it.
    bom: true,
    record_delimiter: 'windows',
    quoted_match: quotedMatch,
    cast: { string: guardFormulas },
  });
  return saveFile({
    action,
    fileName: `${source.replace(/\.[^.]*$/, '')}-results.csv`,
    load: async () => new Blob([csv], { type: 'text/csv' }),
    text,
  });
};
