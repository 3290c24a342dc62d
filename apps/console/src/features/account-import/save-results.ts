/** Saves the results of a run as a CSV file. */
import { saveCsv } from '../../forms/save-csv.ts';
import type { ImportRun } from './import-run.ts';
import { importText } from './import-text.ts';

export const saveResults = (source: string, { rows, results }: ImportRun): Promise<void> =>
  saveCsv({
    action: 'save-import-results',
    source,
    header: ['line', 'name', 'outcome', 'reason', 'id'],
    rows: results.map(({ line, outcome, reason = '', id = '' }, index) => {
      const row = rows[index];
      return [line, row !== undefined && 'name' in row ? (row.name ?? '') : '', outcome, reason, id];
    }),
    text: importText.saving,
  });
