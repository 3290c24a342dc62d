/** Texts of the screen that imports contacts. */
import { contactFileLimits, type ContactColumn } from '@lanternrock/contract/contact-import';
import { fileTexts } from '@lanternrock/contract/csv-file';
import { formatCount } from '@lanternrock/contract/format-count';
import type { CsvListText } from '../../shared/csv-run/csv-list.ts';
import { formatRows } from '../../shared/csv-run/csv-run-text.ts';

const statuses = {
  create: 'Will be added',
  change: 'Will be changed',
  created: 'Added',
  changed: 'Changed',
  unchanged: 'Unchanged',
  rejected: 'Rejected',
} as const;

export type ContactStatus = keyof typeof statuses;

/** Words of the summary. */
const words = {
  check: { create: 'to add', change: 'to change', unchanged: 'unchanged', rejected: 'rejected' },
  send: { created: 'added', changed: 'changed', unchanged: 'unchanged', rejected: 'rejected' },
} as const;

const stopped = { canceled: 'Canceled', interrupted: 'The connection was lost', failed: 'Stopped' } as const;

export const contactImportText: CsvListText = {
  title: 'Import Contacts',
  file: {
    title: 'File',
    help: `A CSV or XLSX file with one contact per row. ${fileTexts.limits(contactFileLimits)}`,
  },
  columns: {
    description:
      'A row updates the contact with the same ID, or with the same name in this account. A row without a match adds a contact. The account is found by its ID or by its name. Fields without a column stay as they are.',
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
  show: { label: 'Show accounts', to: '/admin/accounts' },
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

/** In the order of the form. */
export const templateHeader: readonly string[] = ['Account', 'Name', 'Role', 'Phone', 'Email', 'Note'];

export const contactColumnLabels: Readonly<Record<ContactColumn, string>> = {
  account_id: 'Account ID',
  account: 'Account Name',
  contact_id: 'Contact ID',
  name: 'Name',
  role: 'Role',
  phone: 'Phone',
  email: 'Email',
  note: 'Note',
};
