/** Imports accounts from a CSV file: a dry run, then the rows that create or change an account. */
import {
  createRepeatCheck,
  findColumnProblem,
  importBatchLimits,
  importColumnNames,
  importFileLimits,
  parseImportRow,
  repeatedRowReason,
  toImportRow,
  type ImportColumn,
  type ImportOutcome,
  type ImportResult,
  type ImportRow,
} from '@lanternrock/contract/account-import';
import { callFunction } from '../../api/functions.ts';
import type { CsvList, Sending } from '../../shared/csv-run/csv-list.ts';
import { columnLabels, importText, type ImportStatus } from './import-text.ts';

interface AccountRow {
  readonly line: number;
  readonly status: ImportStatus | null;
  readonly reason: string;
  /** Null if a cell of the row cannot be sent, so that the row is rejected without a request. */
  readonly input: ImportRow | null;
  /** ID of the account; null if there is none. */
  readonly id: string | null;
}

const plannedStatuses: Readonly<Record<ImportOutcome, ImportStatus>> = {
  created: 'create',
  changed: 'change',
  unchanged: 'unchanged',
  rejected: 'rejected',
};

const toRejected = (row: AccountRow, reason: string): AccountRow => ({ ...row, status: 'rejected', reason });

const createSending = (
  dryRun: boolean,
  toResult: (row: AccountRow, result: ImportResult) => AccountRow,
): Sending<AccountRow> => ({
  limits: importBatchLimits,
  toItem: ({ input }) => input,
  sendBatch: async (batch, signal) => {
    const rows = batch.flatMap(({ input }) => input ?? []);
    const response = await callFunction('import-accounts', { dry_run: dryRun, rows }, { signal });
    const results = new Map(response.results.map((result) => [result.line, result]));
    return {
      rows: batch.map((row) => {
        const result = results.get(row.line);
        if (result === undefined) return toRejected(row, 'The service returned no result');
        return result.outcome === 'rejected' ? toRejected(row, result.reason ?? '') : toResult(row, result);
      }),
    };
  },
});

/** Creates the sending of the dry run, which also finds rows of different batches that name the same account. */
const createDryRun = (): Sending<AccountRow> => {
  const findRepeat = createRepeatCheck();
  return createSending(true, (row, { outcome, id = null }) => {
    const values = row.input === null ? { reason: row.reason } : parseImportRow(row.input);
    if ('reason' in values) return toRejected(row, values.reason);
    const earlier = findRepeat(values, id);
    if (earlier !== null) return toRejected(row, repeatedRowReason(row.line, earlier));
    return { ...row, status: plannedStatuses[outcome], id };
  });
};

const sending = createSending(false, (row, { outcome, id = null }) => {
  // A batch is sent again if its response was lost. The first request has then imported the row.
  const firstOutcome = row.status === 'create' ? 'created' : 'changed';
  return { ...row, status: outcome === 'unchanged' ? firstOutcome : outcome, id };
});

const createJob: CsvList<ImportColumn, AccountRow>['createJob'] = ({ records, lines }, mapping) => {
  // One for all checks of the job: after an interruption it still contains the rows of the earlier batches.
  const dryRun = createDryRun();
  const rows = records.map((record, index): AccountRow => {
    const line = lines[index] ?? 0;
    const input = toImportRow(record, mapping, line);
    return 'reason' in input
      ? { line, id: null, status: 'rejected', reason: input.reason, input: null }
      : { line, id: null, status: null, reason: '', input };
  });
  return { rows, check: () => dryRun, send: () => sending };
};

const toName = ({ input }: AccountRow): string => input?.name ?? '';

export const accountImport: CsvList<ImportColumn, AccountRow> = {
  limits: importFileLimits,
  columnNames: importColumnNames,
  columnLabels,
  findColumnProblem: (mapping, { header, name }) => findColumnProblem(mapping, header, name),
  createJob,
  isDue: ({ status }) => status === 'create' || status === 'change',
  isProblem: ({ status }) => status === 'rejected',
  rowColumns: [{ key: 'name', header: 'Name', text: toName }],
  savedColumns: {
    line: ({ line }) => line,
    name: toName,
    outcome: ({ status }) => status ?? '',
    reason: ({ reason }) => reason,
    id: ({ id }) => id ?? '',
  },
  text: importText,
};
