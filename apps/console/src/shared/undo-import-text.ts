/** Texts of the undo of an import of accounts. */
import { formatCount } from '@lanternrock/contract/format-count';
import type { RunUndo } from './csv-run/csv-list.ts';

export const formatAccounts = (total: number): string =>
  `${formatCount(total)} ${total === 1 ? 'account' : 'accounts'}`;

export const undoImportText = {
  button: 'Undo import',
  running: 'Undoing import...',
  failed: 'Error undoing the import',
  confirm: (total: number) => ({
    title: `Delete ${formatAccounts(total)}?`,
    description:
      'This deletes the accounts that the import has created. Accounts that were changed since, or have members or contacts, are kept.',
    confirmLabel: `Delete ${formatAccounts(total)}`,
  }),
  undone: (deleted: number, kept: number) =>
    `${formatAccounts(deleted)} deleted${kept === 0 ? '' : `, ${formatCount(kept)} kept`}`,
} satisfies RunUndo<unknown>['text'] & Readonly<Record<string, unknown>>;
