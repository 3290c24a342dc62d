/** Sends the rows of a file in batches. A run that stops continues after the last confirmed batch. */
import type { BrokenRow } from '@lanternrock/contract/account-file';
import {
  createRepeatCheck,
  importBatchLimits,
  parseImportRow,
  repeatedRowReason,
  type ImportOutcome,
  type ImportResult,
  type ImportRow,
} from '@lanternrock/contract/account-import';

type FileRow = ImportRow | BrokenRow;

type SendBatch = (
  rows: readonly ImportRow[],
  dryRun: boolean,
  signal: AbortSignal,
) => Promise<readonly ImportResult[]>;

/** A dry run or an import of one file. */
export interface ImportRun {
  readonly dryRun: boolean;
  readonly rows: readonly FileRow[];
  /** Results of the rows so far, in the order of the file. */
  readonly results: readonly ImportResult[];
  /**
   * Sends all rows that have no result.
   *
   * @throws the error of `send`; the results so far stay
   */
  readonly proceed: (signal: AbortSignal, onProgress: () => void) => Promise<void>;
}

const isBroken = (row: FileRow): row is BrokenRow => 'reason' in row;

/** Finds the end of the batch that starts at `start`: rows to send are limited in number and size. */
const batchEnd = (rows: readonly FileRow[], start: number, isSent: (index: number) => boolean): number => {
  const encoder = new TextEncoder();
  let count = 0;
  let bytes = 0;
  for (let index = start; index < rows.length; index += 1) {
    if (!isSent(index)) continue;
    bytes += encoder.encode(JSON.stringify(rows[index])).length + 1;
    count += 1;
    if (count > importBatchLimits.rows || bytes > importBatchLimits.bytes) return Math.max(index, start + 1);
  }
  return rows.length;
};

interface RunOptions {
  readonly dryRun: boolean;
  readonly isSent: (index: number) => boolean;
  readonly send: SendBatch;
  /** Returns the result of a row from the response, or without one if the row was not sent. */
  readonly toResult: (index: number, response: ImportResult | undefined) => ImportResult;
}

const createRun = (rows: readonly FileRow[], options: RunOptions): ImportRun => {
  const results: ImportResult[] = [];
  return {
    dryRun: options.dryRun,
    rows,
    results,
    proceed: async (signal, onProgress) => {
      while (results.length < rows.length) {
        const start = results.length;
        const end = batchEnd(rows, start, options.isSent);
        const batch = rows
          .slice(start, end)
          .filter((row, offset): row is ImportRow => !isBroken(row) && options.isSent(start + offset));
        const responses = batch.length === 0 ? [] : await options.send(batch, options.dryRun, signal);
        signal.throwIfAborted();
        const byLine = new Map(responses.map((result) => [result.line, result]));
        for (let index = start; index < end; index += 1)
          results.push(options.toResult(index, byLine.get(rows[index]?.line ?? 0)));
        onProgress();
      }
    },
  };
};

const rejected = (line: number, reason: string): ImportResult => ({ line, outcome: 'rejected', reason });

/** Creates a dry run. It also finds rows of different batches that name the same account. */
export const createDryRun = (rows: readonly FileRow[], send: SendBatch): ImportRun => {
  const findRepeat = createRepeatCheck();
  const isComplete = (index: number): boolean => {
    const row = rows[index];
    return row !== undefined && !isBroken(row);
  };
  return createRun(rows, {
    dryRun: true,
    isSent: isComplete,
    send,
    toResult: (index, response) => {
      const row = rows[index];
      if (row === undefined || isBroken(row)) return rejected(row?.line ?? 0, row?.reason ?? '');
      if (response === undefined) return rejected(row.line, 'The service returned no result');
      if (response.outcome === 'rejected') return response;
      const parsed = parseImportRow(row);
      if ('reason' in parsed) return rejected(row.line, parsed.reason);
      const earlier = findRepeat(parsed, response.id ?? null);
      return earlier === null ? response : rejected(row.line, repeatedRowReason(row.line, earlier));
    },
  });
};

const isPlanned = (result: ImportResult | undefined): boolean =>
  result?.outcome === 'created' || result?.outcome === 'changed';

/** Creates the import of a complete dry run. Only rows that create or change an account are sent. */
export const createImport = ({ rows, results: plan }: ImportRun, send: SendBatch): ImportRun =>
  createRun(rows, {
    dryRun: false,
    isSent: (index) => isPlanned(plan[index]),
    send,
    toResult: (index, response) => {
      const planned = plan[index] ?? rejected(rows[index]?.line ?? 0, '');
      if (!isPlanned(planned)) return planned;
      if (response === undefined) return rejected(planned.line, 'The service returned no result');
      // The batch was sent again: the response to the first request was lost, but it was imported.
      return response.outcome === 'unchanged' ? { ...response, outcome: planned.outcome } : response;
    },
  });

export const countOutcomes = (results: readonly ImportResult[]): Readonly<Record<ImportOutcome, number>> => {
  const tally = { created: 0, changed: 0, unchanged: 0, rejected: 0 };
  for (const { outcome } of results) tally[outcome] += 1;
  return tally;
};

export const countPlanned = (results: readonly ImportResult[]): number => results.filter(isPlanned).length;
