/** State of the chosen file or the pasted rows, and the meaning of its columns. */
import { type ColumnMapping, type FileLimits, fileTexts, guessColumns } from '@lanternrock/contract/csv-file';
import { useState } from 'react';
import { codeMessage, codeTimeoutMs } from '../../api/load-code.ts';
import type { CsvList } from './csv-list.ts';
import type { CsvReply, CsvRequest } from './csv-worker.ts';
import type { CsvFile, CsvResult } from './read-csv.ts';

interface FileState<Column extends string> {
  readonly reading: boolean;
  readonly isPasted: boolean;
  readonly problem: string | undefined;
  readonly file: CsvFile | undefined;
  readonly mapping: ColumnMapping<Column>;
}

export interface ChosenFile<Column extends string> extends FileState<Column> {
  readonly choose: (file: File) => void;
  /** @param name used as the name of the file */
  readonly paste: (rows: string, name: string) => void;
  readonly setColumn: (index: number, column: Column | null) => void;
}

/** @param onChange called when the rows of an earlier file or mapping are outdated */
export const useCsvFile = <Column extends string>(
  { limits, columnNames, checkFile }: Pick<CsvList<Column, unknown>, 'limits' | 'columnNames' | 'checkFile'>,
  onChange: () => void,
): ChosenFile<Column> => {
  const noFile = { reading: false, isPasted: false, problem: undefined, file: undefined, mapping: [] };
  const [state, setState] = useState<FileState<Column>>(noFile);

  const open = async (source: File, isPasted: boolean): Promise<void> => {
    // The previous file cannot be checked while the new one is read.
    setState({ ...noFile, isPasted, reading: true });
    onChange();
    const parsed = await parseInWorker(source, limits);
    const result = 'problem' in parsed || checkFile === undefined ? parsed : checkFile(parsed);
    if ('problem' in result) setState({ ...noFile, isPasted, problem: result.problem });
    else setState({ ...noFile, isPasted, file: result, mapping: guessColumns(result.header, columnNames) });
  };

  return {
    ...state,
    choose: (file) => void open(file, false),
    paste: (rows, name) => void open(new File([rows], name), true),
    setColumn: (index, column) => {
      setState({ ...state, mapping: state.mapping.with(index, column) });
      onChange();
    },
  };
};

/** Parses a file in a worker, so that the page stays responsive. */
const parseInWorker = async (file: File, limits: FileLimits): Promise<CsvResult> => {
  const { name, size } = file;
  if (size > limits.bytes) return { problem: fileTexts.tooLarge(name, limits) };
  let bytes: ArrayBuffer;
  try {
    bytes = await file.arrayBuffer();
  } catch {
    // The file was moved or changed after it was chosen.
    return { problem: fileTexts.unreadable(name) };
  }
  const worker = new Worker(new URL('./csv-worker.ts', import.meta.url), { type: 'module' });
  try {
    return await new Promise<CsvResult>((resolve) => {
      let problem = codeMessage;
      const fail = (): void => resolve({ problem });
      const timer = setTimeout(fail, codeTimeoutMs);
      worker.addEventListener('message', ({ data }: MessageEvent<CsvReply>) => {
        clearTimeout(timer);
        problem = fileTexts.unreadable(name);
        if (data !== 'loaded') resolve(data);
      });
      worker.addEventListener('error', fail);
      worker.postMessage({ bytes, name, limits } satisfies CsvRequest, [bytes]);
    });
  } finally {
    worker.terminate();
  }
};
