/** Sends rows in batches. A run that stops continues with the rows that are still due. */
import type { BatchResult, Quota, Sending } from './csv-list.ts';

/** Takes rows from the start until their number or their size reaches a limit; at least one. */
const takeBatch = <Row>(rows: readonly Row[], { limits, toItem }: Sending<Row>): readonly Row[] => {
  const encoder = new TextEncoder();
  let bytes = 0;
  const end = rows.findIndex((row, index) => {
    bytes += encoder.encode(JSON.stringify(toItem(row))).length + 1;
    return index > 0 && bytes > limits.bytes;
  });
  return end < 0 ? rows : rows.slice(0, end);
};

export interface BatchProgress<Row> {
  readonly rows: readonly Row[];
  /** Number of rows before the first one that is due. */
  readonly done: number;
  /** Of the last batch. */
  readonly quota: Quota | null;
}

interface RunOptions<Row> {
  readonly isDue: (row: Row) => boolean;
  readonly signal: AbortSignal;
  /** Called at the start and after each batch, also after a failed one. */
  readonly onProgress: (progress: BatchProgress<Row>) => void;
}

/**
 * Sends the rows that are due, until the signal is aborted.
 *
 * @returns the reason why the service stopped, or null
 * @throws the error of `sendBatch`
 */
export const runBatches = async <Row>(
  start: readonly Row[],
  sending: Sending<Row>,
  { isDue, signal, onProgress }: RunOptions<Row>,
): Promise<string | null> => {
  const rows = [...start];
  const due = rows.flatMap((row, index) => (isDue(row) ? [index] : []));
  const requestSignal = sending.toUnanswered === undefined ? signal : undefined;
  let next = 0;
  let quota: Quota | null = null;
  const replace = (results: readonly Row[]): void => {
    for (const [offset, row] of results.entries()) rows[due[next + offset] ?? rows.length] = row;
  };
  const report = (): void => onProgress({ rows: [...rows], done: due[next] ?? rows.length, quota });
  report();
  while (next < due.length && !signal.aborted) {
    const waiting = due.slice(next, next + sending.limits.rows).flatMap((index) => rows[index] ?? []);
    const batch = takeBatch(waiting, sending);
    let result: BatchResult<Row>;
    try {
      result = await sending.sendBatch(batch, requestSignal);
    } catch (error) {
      replace(batch.map(sending.toUnanswered ?? ((row) => row)));
      report();
      throw error;
    }
    replace(result.rows);
    next += result.rows.length;
    quota = result.quota ?? null;
    report();
    if (typeof result.stopped === 'string') return result.stopped;
    if (result.rows.length === 0) throw new Error('The service returned no result');
  }
  return null;
};
