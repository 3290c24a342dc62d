/** Saves the results of a run as a CSV file. */
import { stringify } from 'csv-stringify/browser/esm/sync';
import { saveFile } from '../../ui/save-file.ts';
import type { ImportRun } from './import-run.ts';
import { importText } from './import-text.ts';

export const saveResults = async (fileName: string, { rows, results }: ImportRun): Promise<void> => {
  const lines = results.map(({ line, outcome, reason = '', id = '' }, index) => {
    const row = rows[index];
    return [line, row !== undefined && 'name' in row ? (row.name ?? '') : '', outcome, reason, id];
  });
  const csv = stringify([['line', 'name', 'outcome', 'reason', 'id'], ...lines], {
    // Excel recognizes UTF-8 by it.
    bom: true,
    record_delimiter: 'windows',
    // A cell that begins like a formula gets an apostrophe, so that no program executes it.
    escape_formulas: true,
  });
  await saveFile({
    action: 'save-import-results',
    fileName: `${fileName.replace(/\.[^.]*$/, '')}-results.csv`,
    load: async () => new Blob([csv], { type: 'text/csv' }),
    text: importText.saving,
  });
};
