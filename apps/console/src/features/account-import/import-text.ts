/** Texts of the import screen. */
import type { ImportColumn, ImportOutcome } from '@lanternrock/contract/account-import';

const count = (value: number): string => value.toLocaleString('en');
const rows = (value: number): string => `${count(value)} ${value === 1 ? 'row' : 'rows'}`;

const outcomes: Readonly<Record<ImportOutcome, string>> = {
  created: 'Created',
  changed: 'Changed',
  unchanged: 'Unchanged',
  rejected: 'Rejected',
};

const expectedOutcomes: Readonly<Record<ImportOutcome, string>> = {
  created: 'Will be created',
  changed: 'Will be changed',
  unchanged: 'Unchanged',
  rejected: 'Rejected',
};

export const importText = {
  title: 'Import Accounts',
  file: {
    title: 'File',
    label: 'CSV file',
    help: 'With a header; UTF-8, or UTF-16 with a byte order mark; up to 50 MB and 200,000 rows.',
    reading: 'Reading the file...',
    chosen: (name: string, total: number) => `${name}: ${rows(total)}`,
  },
  columns: {
    description:
      'Rows find their account by ID, by slug, or by name and city. Columns that are not in the file do not change.',
    notImported: 'Not imported',
    check: 'Check rows',
  },
  run: {
    title: 'Result',
    checking: 'Checking rows...',
    importing: 'Importing rows...',
    cancel: 'Cancel',
    continueCheck: 'Continue checking',
    continueImport: 'Continue import',
    import: (total: number) => `Import ${rows(total)}`,
    save: 'Save results',
    canceled: (done: number, total: number) => `Canceled after ${count(done)} of ${rows(total)}.`,
    interrupted: (done: number, total: number) =>
      `The connection was lost after ${count(done)} of ${rows(total)}.`,
    failed: (done: number, total: number) => `Stopped after ${count(done)} of ${rows(total)}.`,
    checked: 'The check is complete. Nothing has been changed.',
    nothing: 'The check is complete. There is no row to import.',
    done: 'The import is complete.',
    stays: 'Imported rows stay. You can also choose the file again later: they are then unchanged.',
  },
  table: {
    label: 'Results of the rows',
    line: 'Line',
    name: 'Name',
    result: 'Result',
    reason: 'Reason',
    filter: 'Rows',
    all: 'All rows',
    problems: 'Problems only',
    empty: 'No rows',
  },
  leave: {
    title: 'Stop the import?',
    description: 'Rows that are already imported stay. The others are not imported.',
    confirmLabel: 'Stop import',
    cancelLabel: 'Keep importing',
  },
  saving: { running: 'Saving results...', failed: 'Error saving results' },
  outcomes,
  expectedOutcomes,
  summary: (tally: Readonly<Record<ImportOutcome, number>>, dryRun: boolean) =>
    (['created', 'changed', 'unchanged', 'rejected'] as const)
      .map((outcome) => `${count(tally[outcome])} ${dryRun ? planned[outcome] : outcome}`)
      .join(', '),
} as const;

const planned: Readonly<Record<ImportOutcome, string>> = {
  created: 'to create',
  changed: 'to change',
  unchanged: 'unchanged',
  rejected: 'rejected',
};

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
