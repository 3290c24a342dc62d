/** Saves the rows of a list with their results as a CSV file. */
import { saveCsv } from '../../forms/save-csv.ts';
import type { ListRow } from './list-row.ts';
import { inviteListText } from './invite-list-text.ts';

export const saveListResults = (source: string, rows: readonly ListRow[]): Promise<void> =>
  saveCsv({
    action: 'save-list-results',
    source,
    header: ['line', 'email', 'name', 'result', 'reason'],
    rows: rows.map(({ input, email, status, reason }) => [
      input.line,
      email,
      input.fullName,
      inviteListText.statuses[status],
      reason,
    ]),
    text: inviteListText.saving,
  });
