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
  /** Null if it is rejected without a look at its cells. */
  readonly input: ImportRow | null;
  /** ID of the account, or '' without one. */
  readonly id: string;
}

const planned: Readonly<Record<ImportOutcome, ImportStatus>> = {
  created: 'create',
  changed: 'change',
  unchanged: 'unchanged',
  rejected: 'rejected',
};

const reject = (row: AccountRow, reason: string): AccountRow => ({ ...row, status: 'rejected', reason });

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
        if (result === undefined) return reject(row, 'The service returned no result');
        return result.outcome === 'rejected' ? reject(row, result.reason ?? '') : toResult(row, result);
      }),
    };
  },
});

/** Also finds rows of different batches that name the same account. */
const createDryRun = (): Sending<AccountRow> => {
  const findRepeat = createRepeatCheck();
  return createSending(true, (row, { outcome, id = '' }) => {
    const values = row.input === null ? { reason: row.reason } : parseImportRow(row.input);
    if ('reason' in values) return reject(row, values.reason);
    const earlier = findRepeat(values, id === '' ? null : id);
    if (earlier !== null) return reject(row, repeatedRowReason(row.line, earlier));
    return { ...row, status: planned[outcome], id };
  });
};

const sending = createSending(false, (row, { outcome, id = '' }) => {
  // The batch was sent again: the response to the first request was lost, but it was imported.
  const status = outcome === 'unchanged' ? (row.status === 'create' ? 'created' : 'changed') : outcome;
  return { ...row, status, id };
});

const createJob: CsvList<ImportColumn, AccountRow>['createJob'] = ({ records, lines }, mapping) => {
  // Knows the rows of the batches before an interruption.
  const dryRun = createDryRun();
  const rows = records.map((record, index): AccountRow => {
    const line = lines[index] ?? 0;
    const input = toImportRow(record, mapping, line);
    return 'reason' in input
      ? { line, id: '', status: 'rejected', reason: input.reason, input: null }
      : { line, id: '', status: null, reason: '', input };
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
    id: ({ id }) => id,
  },
  text: importText,
};
