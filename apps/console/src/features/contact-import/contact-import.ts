/** Imports contacts from a list: a dry run, then the rows that add or change a contact. */
import type { ImportOutcome, ImportResult } from '@lanternrock/contract/account-import';
import {
  contactBatchLimits,
  contactColumnNames,
  contactColumnRules,
  contactFileLimits,
  findContactColumnProblem,
  toContactRow,
  type ContactColumn,
  type ContactRow,
} from '@lanternrock/contract/contact-import';
import { callFunction } from '../../api/functions.ts';
import type { CsvList, Sending } from '../../shared/csv-run/csv-list.ts';
import {
  contactColumnLabels,
  contactImportText,
  templateHeader,
  type ContactStatus,
} from './contact-import-text.ts';

interface Row {
  readonly line: number;
  readonly status: ContactStatus | null;
  readonly reason: string;
  /** Null if the row is rejected without a request. */
  readonly input: ContactRow | null;
}

const plannedStatuses: Readonly<Record<ImportOutcome, ContactStatus>> = {
  created: 'create',
  changed: 'change',
  unchanged: 'unchanged',
  rejected: 'rejected',
};

const createSending = (
  options: { readonly dry_run: boolean; readonly import_id?: string },
  toStatus: (row: Row, outcome: ImportOutcome) => ContactStatus,
): Sending<Row> => ({
  limits: contactBatchLimits,
  toItem: ({ input }) => input,
  sendBatch: async (batch, signal) => {
    const rows = batch.flatMap(({ input }) => input ?? []);
    const response = await callFunction('import-contacts', { ...options, rows }, { signal });
    const results = new Map(response.results.map((result) => [result.line, result]));
    return { rows: batch.map((row) => toResult(row, results.get(row.line), toStatus)) };
  },
});

const toResult = (
  row: Row,
  result: ImportResult | undefined,
  toStatus: (row: Row, outcome: ImportOutcome) => ContactStatus,
): Row => {
  if (row.input === null) return { ...row, status: 'rejected' };
  if (result === undefined) return { ...row, status: 'rejected', reason: 'The service returned no result' };
  return { ...row, status: toStatus(row, result.outcome), reason: result.reason ?? '' };
};

const dryRun = createSending({ dry_run: true }, (_row, outcome) => plannedStatuses[outcome]);

const createImport = (importId: string): Sending<Row> =>
  createSending({ dry_run: false, import_id: importId }, ({ status }, outcome) => {
    // A batch is sent again if its response was lost. The first request has then imported the row.
    const firstOutcome = status === 'create' ? 'created' : 'changed';
    return outcome === 'unchanged' ? firstOutcome : outcome;
  });

const createJob: CsvList<ContactColumn, Row>['createJob'] = ({ records, lines }, mapping) => {
  const sending = createImport(crypto.randomUUID());
  const rows = records.map((record, index): Row => {
    const line = lines[index] ?? 0;
    const input = toContactRow(record, mapping, line);
    return 'reason' in input
      ? { line, status: 'rejected', reason: input.reason, input: null }
      : { line, status: null, reason: '', input };
  });
  return { rows, check: () => dryRun, send: () => sending };
};

const toAccount = ({ input }: Row): string => input?.account || input?.account_id || '';
const toName = ({ input }: Row): string => input?.name ?? '';

export const contactImport: CsvList<ContactColumn, Row> = {
  limits: contactFileLimits,
  columnNames: contactColumnNames,
  columnRules: contactColumnRules,
  columnLabels: contactColumnLabels,
  template: { name: 'contacts-template.csv', header: templateHeader },
  findColumnProblem: (mapping, { header, name }) => findContactColumnProblem(mapping, header, name),
  createJob,
  isDue: ({ status }) => status === 'create' || status === 'change',
  isProblem: ({ status }) => status === 'rejected',
  rowColumns: [
    { key: 'account', header: 'Account', text: toAccount },
    { key: 'name', header: 'Name', text: toName },
  ],
  savedColumns: {
    line: ({ line }) => line,
    account: toAccount,
    name: toName,
    outcome: ({ status }) => status ?? '',
    reason: ({ reason }) => reason,
  },
  text: contactImportText,
};
