/** Saves the rows of a list with their results as a CSV file. */
import { stringify } from 'csv-stringify/browser/esm/sync';
import { saveFile } from '../../ui/save-file.ts';
import type { ListRow } from './invite-run.ts';
import { inviteListText } from './invite-list-text.ts';

export const saveListResults = (fileName: string, rows: readonly ListRow[]): Promise<void> => {
  const csv = stringify(
    [
      ['line', 'email', 'name', 'result', 'reason'],
      ...rows.map(({ input, email, status, reason }) => [
        input.line,
        email,
        input.fullName,
        inviteListText.statuses[status],
        reason,
      ]),
    ],
    {
      // Excel recognizes UTF-8 by it.
      bom: true,
      record_delimiter: 'windows',
      // A cell that begins like a formula gets an apostrophe, so that no program executes it.
      escape_formulas: true,
    },
  );
  return saveFile({
    action: 'save-list-results',
    fileName: `${fileName.replace(/\.[^.]*$/, '')}-results.csv`,
    load: async () => new Blob([csv], { type: 'text/csv' }),
    text: inviteListText.saving,
  });
};
