/** Saves the results as a CSV file that spreadsheet programs can open safely. */
import { guardFormulas, quotedMatch } from '@lanternrock/contract/csv-guard';
import { stringify } from 'csv-stringify/browser/esm/sync';
import { saveFile } from '../../ui/save-file.ts';
import type { CsvRow, RowRules } from './csv-list.ts';
import { csvRunText } from './csv-run-text.ts';
import { isChecked } from './result-table.tsx';

/** @param source name of the file with the rows */
export function saveResults<Row extends CsvRow>(
  source: string,
  { savedColumns }: RowRules<Row>,
  rows: readonly Row[],
): void {
  const header = Object.keys(savedColumns);
  const cells = Object.values(savedColumns);
  const records = rows.filter(isChecked).map((row) => cells.map((cell) => cell(row)));
  const csv = stringify([header, ...records], {
    // Excel recognizes UTF-8 by it.
    bom: true,
    record_delimiter: 'windows',
    quoted_match: quotedMatch,
    cast: { string: guardFormulas },
  });
  void saveFile({
    action: 'save-results',
    fileName: `${source.replace(/\.[^.]*$/, '')}-results.csv`,
    load: async () => new Blob([csv], { type: 'text/csv' }),
    text: csvRunText.run.saving,
  });
}
