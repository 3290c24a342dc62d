/** Texts that are the same for all lists. */
import { formatCount } from '@lanternrock/contract/format-count';
import { quoted } from '../../ui/quoted-text.tsx';

export const csvRunText = {
  file: {
    label: 'CSV or Excel file',
    reading: 'Reading the file...',
    drop: 'You can also drop the file here.',
    template: 'Download template',
    chosen: (name: string, total: number) => `${name}: ${formatRows(total)}`,
  },
  reading: {
    encoding: 'Encoding',
    delimiter: 'Separator',
    sheet: 'Sheet',
    hasHeader: 'The first row has the names of the columns',
    look: 'Are these words right?',
    lookHelp:
      'The file does not say how its letters are encoded. If the words are wrong, choose another encoding.',
    confirm: 'Words are right',
  },
  columns: {
    title: 'Columns',
    none: 'None',
    first: (text: string) => `First row: ${quoted(text)}`,
    unused: (headers: readonly string[]) => `Not used: ${headers.map(quoted).join(', ')}`,
    check: 'Check rows',
    checking: 'Checking rows...',
  },
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
