/** State of the chosen file or the pasted rows: how it is read, and the meaning of its columns and words. */
import { type ColumnMapping, guessColumns } from '@lanternrock/contract/column-guess';
import type { ListFile, Reading, ReadingChoice } from '@lanternrock/contract/list-file';
import { useEffect, useRef, useState } from 'react';
import { codeMessage } from '../../api/load-code.ts';
import type { CsvList, WordChoices } from './csv-list.ts';
import { readInWorker } from './read-in-worker.ts';

interface FileState<Column extends string> {
  readonly reading: boolean;
  readonly isPasted: boolean;
  readonly problem: string | undefined;
  /** While the file is read again, and if this fails, the earlier result. */
  readonly file: ListFile | undefined;
  /** What the user chose about a file that is being read again. */
  readonly pendingChoice: ReadingChoice;
  /** False until the user has looked at the sample of a guessed encoding. */
  readonly isConfirmed: boolean;
  readonly mapping: ColumnMapping<Column>;
  readonly words: WordChoices;
}

export interface ChosenFile<Column extends string> extends FileState<Column> {
  readonly choose: (file: File) => void;
  /** @param name used as the name of the file */
  readonly paste: (rows: string, name: string) => void;
  /** Reads the same file again. */
  readonly setReading: (choice: ReadingChoice) => void;
  readonly confirm: () => void;
  /** @param index of the column of the file; null for none */
  readonly setColumn: (column: Column, index: number | null) => void;
  readonly setWords: (words: WordChoices) => void;
}

/** The file that was chosen, and how it is to be read. */
interface Source {
  readonly file: File;
  readonly isPasted: boolean;
  readonly choice: ReadingChoice;
}

const noFile = {
  reading: false,
  isPasted: false,
  problem: undefined,
  file: undefined,
  pendingChoice: {},
  isConfirmed: true,
  mapping: [],
  words: { words: new Map<string, string>(), others: null },
} satisfies FileState<string>;

/** @param onChange called when the rows of an earlier file, mapping or choice are outdated */
export const useCsvFile = <Column extends string>(
  list: Pick<CsvList<Column, unknown>, 'limits' | 'columnNames' | 'columnRules'>,
  onChange: () => void,
): ChosenFile<Column> => {
  const [state, setState] = useState<FileState<Column>>(noFile);
  const source = useRef<Source>(null);

  const open = async (opened: Source, previous?: ListFile): Promise<void> => {
    const { file, isPasted, choice } = opened;
    const replaced = source.current;
    source.current = opened;
    // The previous rows cannot be checked while the file is read.
    setState({ ...noFile, isPasted, reading: true, file: previous, pendingChoice: choice });
    onChange();
    const result = await readInWorker(file, list, choice);
    if (source.current !== opened) return;
    if ('problem' in result) {
      // A choice that cannot be read is not the start of the next one.
      if (previous !== undefined) source.current = replaced;
      setState({ ...noFile, isPasted, problem: result.problem, file: previous });
      return;
    }
    const { header, records, reading } = result;
    const { columnNames, columnRules: accepts } = list;
    const mapping = guessColumns(header, columnNames, { records, accepts });
    setState({ ...noFile, isPasted, file: result, isConfirmed: !needsLook(reading, choice), mapping });
  };

  // Without a connection, the code of the reader can be missing.
  useEffect(() => {
    if (state.problem !== codeMessage) return undefined;
    const readAgain = (): void => {
      if (source.current !== null) void open(source.current, state.file);
    };
    addEventListener('online', readAgain);
    return () => removeEventListener('online', readAgain);
  });

  const change = (next: Partial<FileState<Column>>): void => {
    setState((current) => ({ ...current, ...next }));
    onChange();
  };

  return {
    ...state,
    choose: (file) => void open({ file, isPasted: false, choice: {} }),
    paste: (rows, name) =>
      void open({ file: new File([rows], name), isPasted: true, choice: { encoding: 'utf-8' } }),
    setReading: (choice) => {
      if (source.current === null) return;
      // With the earlier result, so that the fields of the choice stay.
      void open({ ...source.current, choice: { ...source.current.choice, ...choice } }, state.file);
    },
    confirm: () => setState((current) => ({ ...current, isConfirmed: true })),
    setColumn: (column, index) => change({ mapping: moveColumn(state.mapping, column, index) }),
    setWords: (words) => change({ words }),
  };
};

/** @param index null uses no column of the file for the field */
const moveColumn = <Column extends string>(
  mapping: ColumnMapping<Column>,
  column: Column,
  index: number | null,
): ColumnMapping<Column> =>
  mapping.map((each, place) => {
    if (place === index) return column;
    return each === column ? null : each;
  });

/** Returns true if only a person can tell whether the encoding is right. */
const needsLook = ({ text }: Reading, { encoding }: ReadingChoice): boolean =>
  text !== null && text.sample.length > 0 && (text.isGuessed || encoding !== undefined);
