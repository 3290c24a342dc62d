/** State of the import screen: file, columns, dry run, import. */
import {
  findColumnProblem,
  guessColumns,
  importFileLimits,
  toImportRow,
  type ColumnMapping,
} from '@lanternrock/contract/account-file';
import type { ImportColumn, ImportRow } from '@lanternrock/contract/account-import';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../api/errors.ts';
import { callFunction } from '../../api/functions.ts';
import { readCsvFile } from '../../forms/csv-file.ts';
import type { CsvFile } from '../../forms/read-csv.ts';
import { createDryRun, createImport, type ImportRun } from './import-run.ts';

const sendBatch = async (rows: readonly ImportRow[], dryRun: boolean, signal: AbortSignal) =>
  (await callFunction('import-accounts', { dry_run: dryRun, rows }, { signal })).results;

/** Why a run is not complete. */
export type Stop =
  | { readonly reason: 'canceled' | 'interrupted' }
  | { readonly reason: 'failed'; readonly message: string };

interface FileState {
  readonly reading: boolean;
  readonly problem: string | undefined;
  readonly file: CsvFile | undefined;
  readonly mapping: ColumnMapping;
}

interface RunState {
  readonly run: ImportRun | undefined;
  readonly running: boolean;
  readonly stop: Stop | undefined;
  /** Number of rows with a result. The run changes in place. */
  readonly done: number;
}

const noFile: FileState = { reading: false, problem: undefined, file: undefined, mapping: [] };
const noRun: RunState = { run: undefined, running: false, stop: undefined, done: 0 };

export interface AccountImport extends FileState, RunState {
  readonly columnProblem: string | null;
  readonly choose: (file: File) => Promise<void>;
  readonly setColumn: (index: number, column: ImportColumn | null) => void;
  /** Starts the dry run. */
  readonly check: () => Promise<void>;
  /** Starts the import after a complete dry run. */
  readonly start: () => Promise<void>;
  /** Continues a run that stopped. */
  readonly proceed: () => Promise<void>;
  readonly cancel: () => void;
}

/** @param onImported called whenever an import stops or is complete */
export const useImport = (onImported: () => void): AccountImport => {
  const [fileState, setFileState] = useState(noFile);
  const [runState, setRunState] = useState(noRun);
  /** Null while nothing runs. */
  const abort = useRef<AbortController>(null);
  // The user left the screen.
  useEffect(() => () => abort.current?.abort(), []);
  const { file, mapping } = fileState;

  const choose = async (chosen: File): Promise<void> => {
    setFileState({ ...noFile, reading: true });
    setRunState(noRun);
    const parsed = await readCsvFile(chosen, importFileLimits);
    if ('problem' in parsed) setFileState({ ...noFile, problem: parsed.problem });
    else setFileState({ ...noFile, file: parsed, mapping: guessColumns(parsed.header) });
  };

  const proceed = async (run: ImportRun): Promise<void> => {
    if (abort.current !== null) return;
    const { signal } = (abort.current = new AbortController());
    const show = (running: boolean, stop?: Stop): void =>
      setRunState({ run, running, stop, done: run.results.length });
    show(true);
    try {
      await run.proceed(signal, () => show(true));
      show(false);
    } catch (error) {
      show(false, signal.aborted ? { reason: 'canceled' } : stopOf(error));
    } finally {
      abort.current = null;
    }
    if (!run.dryRun) onImported();
  };

  return {
    ...fileState,
    ...runState,
    columnProblem: file === undefined ? null : findColumnProblem(mapping, file.header, file.name),
    choose,
    setColumn: (index, column) => {
      setFileState({ ...fileState, mapping: mapping.with(index, column) });
      setRunState(noRun);
    },
    check: async () => {
      if (file === undefined) return;
      const rows = file.records.map((record, index) => toImportRow(record, mapping, file.lines[index] ?? 0));
      await proceed(createDryRun(rows, sendBatch));
    },
    start: async () => {
      if (runState.run !== undefined) await proceed(createImport(runState.run, sendBatch));
    },
    proceed: async () => {
      if (runState.run !== undefined) await proceed(runState.run);
    },
    cancel: () => abort.current?.abort(),
  };
};

const stopOf = (error: unknown): Stop =>
  error instanceof ApiError && error.kind === 'network'
    ? { reason: 'interrupted' }
    : { reason: 'failed', message: error instanceof Error ? error.message : String(error) };
