/** Texts of the import screen. */
import { importFileLimits, type ImportColumn } from '@lanternrock/contract/account-import';
import { fileTexts } from '@lanternrock/contract/csv-file';
import { formatCount } from '@lanternrock/contract/format-count';
import type { CsvListText } from '../../shared/csv-run/csv-list.ts';
import { formatRows } from '../../shared/csv-run/csv-run-text.ts';

const statuses = {
  create: 'Will be created',
  change: 'Will be changed',
  created: 'Created',
  changed: 'Changed',
  unchanged: 'Unchanged',
  rejected: 'Rejected',
} as const;

export type ImportStatus = keyof typeof statuses;

/** Words of the summary. */
const words = {
  check: { create: 'to create', change: 'to change', unchanged: 'unchanged', rejected: 'rejected' },
  send: { created: 'created', changed: 'changed', unchanged: 'unchanged', rejected: 'rejected' },
} as const;

export const importText: CsvListText = {
  title: 'Import Accounts',
  file: {
    title: 'File',
    help: `A CSV file with a header row. In a spreadsheet program, save it as "CSV UTF-8". ${fileTexts.limits(importFileLimits)}`,
  },
  columns: {
    description:
      'A row updates the account with the same ID, slug, or name and city. A row without a match creates an account; an unknown ID is rejected. Fields without a column stay as they are.',
    unused: 'Not imported',
  },
  run: {
    sending: 'Importing rows...',
    checked: 'The check is complete. Nothing has been changed.',
    nothing: 'The check is complete. There are no rows to import.',
    done: 'The import is complete.',
    send: (due) => `Import ${formatRows(due)}`,
    resume: () => 'Continue import',
    stopped: ({ reason }, done, total) =>
      `${stopped[reason]} after ${formatCount(done)} of ${formatRows(total)}.`,
    stopReason: ({ reason, message }) => (reason === 'failed' ? message : null),
    kept: 'Imported rows are kept. If you import the same file again, they are reported as unchanged.',
  },
  table: 'Result of each row',
  statuses,
  summary: (tally, phase) =>
    Object.entries(words[phase])
      .map(([status, word]) => `${formatCount(tally.get(status) ?? 0)} ${word}`)
      .join(', '),
  leave: {
    title: 'Stop the import?',
    description: 'Imported rows are kept. The import stops after the current rows.',
    confirmLabel: 'Stop import',
    cancelLabel: 'Keep importing',
  },
};

const stopped = { canceled: 'Canceled', interrupted: 'The connection was lost', failed: 'Stopped' } as const;

export const columnLabels: Readonly<Record<ImportColumn, string>> = {
  id: 'ID',
  slug: 'Slug',
  name: 'Account Name',
  account_type: 'Type',
  address: 'Address',
  city: 'City',
  state: 'State',
  zip_code: 'Zip Code',
};
