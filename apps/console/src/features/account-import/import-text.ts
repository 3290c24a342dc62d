/** Texts of the import screen. */
import { importFileLimits } from '@lanternrock/contract/account-import';
import { type ImportColumn } from '@lanternrock/contract/import-columns';
import { fileTexts } from '@lanternrock/contract/csv-file';
import { formatCount } from '@lanternrock/contract/format-count';
import type { CsvListText, Phase, Stop } from '../../shared/csv-run/csv-list.ts';
import { formatRows } from '../../shared/csv-run/csv-run-text.ts';
import { formatAccounts } from '../../shared/undo-import-text.ts';

const statuses = {
  create: 'Will be created',
  change: 'Will be changed',
  created: 'Created',
  changed: 'Changed',
  unchanged: 'Unchanged',
  rejected: 'Rejected',
  excluded: 'Not imported',
  similar: 'Duplicate?',
  by_name_only: 'Same name',
  deleted: 'Deleted',
  kept: 'Kept',
} as const;

export type ImportStatus = keyof typeof statuses;

/** Words of the summary. */
const words = {
  check: { create: 'to create', change: 'to change', unchanged: 'unchanged', rejected: 'rejected' },
  send: { created: 'created', changed: 'changed', unchanged: 'unchanged', rejected: 'rejected' },
} as const;

/** Words that are only part of the summary if a row has the status. */
const rareWords = {
  similar: 'possible duplicates',
  by_name_only: 'with the same name',
  excluded: 'not imported',
  deleted: 'deleted',
  kept: 'kept',
} as const;

export const importText = {
  title: 'Import Accounts',
  file: {
    title: 'File',
    help: `A CSV or XLSX file. ${fileTexts.limits(importFileLimits)}`,
  },
  columns: {
    description:
      'Choose the column of each field. A row updates the account with the same ID, slug (such as vail-ski-patrol), or name and city. A row without a match creates an account; an unknown ID is rejected. Fields without a column stay as they are.',
  },
  run: {
    sending: 'Importing rows...',
    checked: 'The check is complete. Nothing has been changed.',
    nothing: 'The check is complete. There are no rows to import.',
    done: 'The import is complete.',
    undone: 'The import is undone. Changed accounts stay as they are.',
    send: (due: number) => `Import ${formatRows(due)}`,
    resume: () => 'Continue import',
    stopped: ({ reason }: Stop, done: number, total: number) =>
      `${stopped[reason]} after ${formatCount(done)} of ${formatRows(total)}.`,
    stopReason: ({ reason, message }: Stop) => (reason === 'failed' ? message : null),
    kept: 'Imported rows are kept. If you import the same file again, they are reported as unchanged.',
  },
  // The list cannot be limited to an import.
  show: {
    label: 'Show accounts, last changed first',
    to: '/admin/accounts',
    search: { sort: 'updated.desc' },
  },
  askedRows: (total: number) =>
    `Also import ${formatRows(total)} that ${total === 1 ? 'looks' : 'look'} like another account`,
  table: 'Result of each row',
  statuses,
  summary: (tally: ReadonlyMap<string | null, number>, phase: Phase) =>
    [...Object.entries(words[phase]), ...Object.entries(rareWords).filter(([status]) => tally.has(status))]
      .map(([status, word]) => `${formatCount(tally.get(status) ?? 0)} ${word}`)
      .join(', '),
  leave: {
    title: 'Stop the import?',
    description: 'Imported rows are kept. The import stops after the current rows.',
    confirmLabel: 'Stop import',
    cancelLabel: 'Keep importing',
  },
} satisfies CsvListText & Readonly<Record<string, unknown>>;

export const recentImportsText = {
  title: 'Your recent imports',
  description: 'You can undo an import for seven days.',
  created: (total: number) => `${formatAccounts(total)} created`,
  /** Between the number and the name of the file. */
  from: 'from',
} as const;

export const otherImport = {
  text: 'Phone numbers and email addresses belong to contacts, which have their own import.',
  link: 'Import contacts',
  to: '/admin/accounts/import-contacts',
} as const;

/** In the order of the form. */
export const templateHeader: readonly string[] = ['Name', 'Type', 'Address', 'City', 'State', 'Zip code'];

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
