/** State of the screen: list, columns, run. */
import { useState } from 'react';
import { readCsvFile } from '../../forms/csv-file.ts';
import type { CsvFile, CsvResult } from '../../forms/read-csv.ts';
import { inviteListText } from './invite-list-text.ts';
import {
  guessListColumns,
  listFileLimits,
  toInvitees,
  type ListColumn,
  type ListMapping,
} from './list-columns.ts';
import { useListRun, type ListRun } from './use-list-run.ts';

interface ListState {
  readonly problem: string | undefined;
  readonly file: CsvFile | undefined;
  readonly mapping: ListMapping;
}

export interface InviteList extends ListState, Omit<ListRun, 'check' | 'reset'> {
  readonly choose: (file: File) => Promise<void>;
  readonly paste: (content: string) => Promise<void>;
  readonly setColumn: (index: number, column: ListColumn | null) => void;
  readonly check: () => Promise<void>;
}

const noList: ListState = { problem: undefined, file: undefined, mapping: [] };

const toState = (result: CsvResult): ListState =>
  'problem' in result
    ? { ...noList, problem: result.problem }
    : { problem: undefined, file: result, mapping: guessListColumns(result.header) };

/** @param onInvited called whenever sending stops or is complete */
export const useInviteList = (onInvited: () => void): InviteList => {
  const [list, setList] = useState(noList);
  const { reset, check, ...run } = useListRun(onInvited);
  const open = (result: CsvResult): void => {
    reset();
    setList(toState(result));
  };
  const choose = async (file: File): Promise<void> => open(await readCsvFile(file, listFileLimits));
  return {
    ...list,
    ...run,
    choose,
    paste: (content) => choose(new File([content], inviteListText.file.pasted)),
    setColumn: (index, column) => {
      setList({ ...list, mapping: list.mapping.with(index, column) });
      reset();
    },
    check: async () => {
      if (list.file !== undefined) await check(toInvitees(list.file, list.mapping));
    },
  };
};
