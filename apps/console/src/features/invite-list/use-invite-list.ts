/** State of the screen: list, columns, run. */
import { useRef, useState } from 'react';
import { readCsvFile } from '../../forms/csv-file.ts';
import type { CsvFile, CsvResult } from '../../forms/read-csv.ts';
import { inviteListText } from './invite-list-text.ts';
import { guessListColumns, listFileLimits, toInvitees, type ListMapping } from './list-columns.ts';
import type { ListColumn } from './list-row.ts';
import { useListRun, type ListRun } from './use-list-run.ts';

interface ListState {
  readonly problem: string | undefined;
  readonly isPasted: boolean;
  readonly file: CsvFile | undefined;
  readonly mapping: ListMapping;
}

export interface InviteList extends ListState, Omit<ListRun, 'check' | 'reset'> {
  readonly choose: (file: File) => Promise<void>;
  readonly paste: (content: string) => Promise<void>;
  readonly setColumn: (index: number, column: ListColumn | null) => void;
  readonly check: () => Promise<void>;
}

const noList: ListState = { problem: undefined, isPasted: false, file: undefined, mapping: [] };

const toState = (result: CsvResult): Omit<ListState, 'isPasted'> => {
  if ('problem' in result) return { ...noList, problem: result.problem };
  // A list without a header would lose its first person.
  const hasHeader = !result.header.some((cell) => cell.includes('@'));
  if (!hasHeader) return { ...noList, problem: inviteListText.file.noHeader(result.name) };
  return { ...noList, file: result, mapping: guessListColumns(result.header) };
};

/** @param onInvited called whenever sending stops or is complete */
export const useInviteList = (onInvited: () => void): InviteList => {
  const [list, setList] = useState(noList);
  const latestFile = useRef<File>(null);
  const { reset, check, ...run } = useListRun(onInvited);
  const open = async (file: File, isPasted: boolean): Promise<void> => {
    // Nobody can check the previous list while the new one is read.
    reset();
    setList({ ...noList, isPasted });
    latestFile.current = file;
    const result = await readCsvFile(file, listFileLimits);
    // A small file is read faster than a large one that was chosen before.
    if (latestFile.current === file) setList({ ...toState(result), isPasted });
  };
  return {
    ...list,
    ...run,
    choose: (file) => open(file, false),
    paste: (content) => open(new File([content], inviteListText.file.pasted), true),
    setColumn: (index, column) => {
      setList({ ...list, mapping: list.mapping.with(index, column) });
      reset();
    },
    check: async () => {
      if (list.file !== undefined) await check(toInvitees(list.file, list.mapping));
    },
  };
};
