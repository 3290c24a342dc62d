/** State of the check and of the sending of a list. */
import { useEffect, useRef, useState } from 'react';
import { ApiError, errorMessage } from '../../api/errors.ts';
import type { CsvJob, CsvRow, Phase, RowRules, Sending, Stop } from './csv-list.ts';
import { runBatches, type BatchProgress } from './run-batches.ts';

export interface RunState<Row> extends BatchProgress<Row> {
  readonly phase: Phase;
  readonly running: boolean;
  /** True after `cancel` until the running request ends. */
  readonly canceling: boolean;
  /** Set if the phase ended while rows are due. */
  readonly stop: Stop | null;
  /** True after `undo`. */
  readonly undone?: boolean;
}

export interface CsvRun<Row> {
  /** Null before the check. */
  readonly state: RunState<Row> | null;
  readonly check: (job: CsvJob<Row>) => void;
  /** Starts the phase, or continues it if it stopped. */
  readonly proceed: (phase: Phase) => void;
  readonly cancel: () => void;
  /** Replaces the rows when the user changes which ones are due. */
  readonly setRows: (rows: readonly Row[]) => void;
  /**
   * Removes what was sent.
   *
   * @throws the error of a request; a further call then continues
   */
  readonly undo: () => Promise<void>;
  readonly reset: () => void;
}

/** @param onSent called whenever sending stops or is complete */
export const useCsvRun = <Row extends CsvRow>(
  { isDue: isDueToSend }: RowRules<Row>,
  onSent: () => void,
): CsvRun<Row> => {
  const [state, setState] = useState<RunState<Row> | null>(null);
  const job = useRef<CsvJob<Row>>(null);
  /** Null while nothing runs. */
  const abort = useRef<AbortController>(null);
  // The user left the screen.
  useEffect(() => () => abort.current?.abort(), []);

  const run = async (phase: Phase, rows: readonly Row[]): Promise<void> => {
    if (abort.current !== null || job.current === null) return;
    const { signal } = (abort.current = new AbortController());
    const sending = job.current[phase]();
    const isDue = phase === 'check' ? ({ status }: Row) => status === null : isDueToSend;
    let progress: BatchProgress<Row> = { rows, done: 0, quota: null };
    const show = (running: boolean, stop: Stop | null): void =>
      setState({ ...progress, phase, running, stop, canceling: running && signal.aborted });
    const onProgress = (next: BatchProgress<Row>): void => {
      progress = next;
      show(true, null);
    };
    let stop: Stop | null = null;
    try {
      const message = await runBatches(rows, sending, { isDue, signal, onProgress });
      if (message !== null) stop = { reason: 'failed', message };
      else if (signal.aborted) stop = canceled;
    } catch (error) {
      stop = toStop(error, sending, signal);
    } finally {
      abort.current = null;
    }
    show(false, progress.rows.some(isDue) ? stop : null);
    if (phase === 'send') onSent();
  };

  return {
    state,
    check: (next) => {
      job.current = next;
      void run('check', next.rows);
    },
    proceed: (phase) => {
      if (state !== null) void run(phase, state.rows);
    },
    cancel: () => {
      abort.current?.abort();
      setState((current) => current && { ...current, canceling: true });
    },
    setRows: (rows) => setState((current) => current && { ...current, rows }),
    undo: async () => {
      const undo = job.current?.undo;
      if (state === null || undo === undefined) return;
      try {
        const rows = await undo(state.rows);
        setState((current) => current && { ...current, rows, stop: null, undone: true });
      } finally {
        onSent();
      }
    },
    reset: () => setState(null),
  };
};

const canceled: Stop = { reason: 'canceled', message: '' };

const toStop = <Row>(error: unknown, { toUnanswered }: Sending<Row>, signal: AbortSignal): Stop => {
  const message = errorMessage(error);
  if (toUnanswered !== undefined) return { reason: 'failed', message };
  if (signal.aborted) return canceled;
  const isLost = error instanceof ApiError && error.kind === 'network';
  return { reason: isLost ? 'interrupted' : 'failed', message };
};
