/** State of the screen: list, columns, run. */
import { useState } from 'react';
import { inviteListText } from './invite-list-text.ts';
import { guessListColumns, toInvitees, type ListColumn, type ListMapping } from './list-columns.ts';
import { parseList, readListFile, type ListFile, type ListResult } from './read-list.ts';
import { useListRun, type ListRun } from './use-list-run.ts';

interface ListState {
  readonly problem: string | undefined;
  readonly file: ListFile | undefined;
  readonly mapping: ListMapping;
}

export interface InviteList extends ListState, Omit<ListRun, 'check' | 'reset'> {
  readonly choose: (file: File) => Promise<void>;
  readonly paste: (content: string) => void;
  readonly setColumn: (index: number, column: ListColumn | null) => void;
  readonly check: () => Promise<void>;
}

const noList: ListState = { problem: undefined, file: undefined, mapping: [] };

const toState = (result: ListResult): ListState =>
  'problem' in result
    ? { ...noList, problem: result.problem }
    : { problem: undefined, file: result, mapping: guessListColumns(result.header) };

/** @param onInvited called whenever sending stops or is complete */
export const useInviteList = (onInvited: () => void): InviteList => {
  const [list, setList] = useState(noList);
  const { reset, check, ...run } = useListRun(onInvited);
  const open = (result: ListResult): void => {
    reset();
    setList(toState(result));
  };
  return {
    ...list,
    ...run,
    choose: async (file) => open(await readListFile(file)),
    paste: (content) => open(parseList(inviteListText.file.pasted, content)),
    setColumn: (index, column) => {
      setList({ ...list, mapping: list.mapping.with(index, column) });
      reset();
    },
    check: async () => {
      if (list.file !== undefined) await check(toInvitees(list.file, list.mapping));
    },
  };
};
