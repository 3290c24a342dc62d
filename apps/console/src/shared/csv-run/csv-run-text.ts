/** Texts that are the same for all lists. */
import { formatCount } from '@lanternrock/contract/format-count';

export const csvRunText = {
  file: {
    label: 'CSV file',
    reading: 'Reading the file...',
    chosen: (name: string, total: number) => `${name}: ${formatRows(total)}`,
  },
  columns: { title: 'Columns', check: 'Check rows', checking: 'Checking rows...' },
  run: {
    title: 'Result',
    cancel: 'Cancel',
    canceling: 'Canceling...',
    continueCheck: 'Continue checking',
    save: 'Save results',
    saving: { running: 'Saving results...', failed: 'Error saving results' },
  },
  table: {
    line: 'Line',
    result: 'Result',
    reason: 'Reason',
    filter: 'Rows',
    all: 'All rows',
    problems: 'Problems only',
    empty: 'No rows',
  },
} as const;

export const formatRows = (total: number): string => `${formatCount(total)} ${total === 1 ? 'row' : 'rows'}`;
