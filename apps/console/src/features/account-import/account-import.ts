/** Imports accounts from a list: a dry run, then the rows that create or change an account. */
import {
  createRepeatCheck,
  formatChanges,
  importBatchLimits,
  importFileLimits,
  maxSpellingRows,
  parseImportRow,
  repeatedRowReason,
  toImportFileName,
  toImportRow,
  type ImportOutcome,
  type ImportResult,
  type ImportRow,
} from '@lanternrock/contract/account-import';
import {
  findColumnProblem,
  importColumnNames,
  importColumnRules,
  type ImportColumn,
} from '@lanternrock/contract/import-columns';
import { hasContactColumns } from '@lanternrock/contract/contact-import';
import type { AccountType } from '@lanternrock/contract/account-types';
import { createQuestionCheck } from '@lanternrock/contract/import-questions';
import type { ChosenType } from '@lanternrock/contract/import-types';
import { callFunction } from '../../api/functions.ts';
import type { CsvList, Sending, WordChoices } from '../../shared/csv-run/csv-list.ts';
import { undoImport } from '../../shared/undo-import.ts';
import { undoImportText } from '../../shared/undo-import-text.ts';
import { columnLabels, importText, otherImport, templateHeader, type ImportStatus } from './import-text.ts';
import { typeRules } from './type-rules.ts';

interface AccountRow {
  readonly line: number;
  readonly status: ImportStatus | null;
  readonly reason: string;
  /** Null if a cell of the row cannot be sent, so that the row is rejected without a request. Of an excluded row: not sent. */
  readonly input: ImportRow | null;
  /** ID of the account; null if there is none. */
  readonly id: string | null;
  /** What the row does if the user decides so; undefined without a question. */
  readonly asked?: 'create' | 'change' | undefined;
}

const plannedStatuses: Readonly<Record<ImportOutcome, ImportStatus>> = {
  created: 'create',
  changed: 'change',
  unchanged: 'unchanged',
  rejected: 'rejected',
};

const toRejected = (row: AccountRow, reason: string): AccountRow => ({ ...row, status: 'rejected', reason });

interface ImportInput {
  readonly default_type?: AccountType;
  readonly compare_spelling?: boolean;
  readonly import_id?: string;
  readonly file_name?: string;
}

const createSending = (
  options: ImportInput & { readonly dry_run: boolean },
  toResult: (row: AccountRow, result: ImportResult) => AccountRow,
): Sending<AccountRow> => ({
  limits: importBatchLimits,
  toItem: ({ input }) => input,
  sendBatch: async (batch, signal) => {
    const rows = batch.flatMap(({ input }) => input ?? []);
    const response = await callFunction('import-accounts', { ...options, rows }, { signal });
    const results = new Map(response.results.map((result) => [result.line, result]));
    // A dry run returns the results of as many rows as fit into its time.
    const processed = batch.slice(0, response.results.length);
    return {
      rows: processed.map((row) => {
        const result = results.get(row.line);
        if (result === undefined) return toRejected(row, 'The service returned no result');
        return result.outcome === 'rejected' ? toRejected(row, result.reason ?? '') : toResult(row, result);
      }),
    };
  },
});

/** Creates the sending of the dry run, which also compares rows of different batches. */
const createDryRun = (input: ImportInput): Sending<AccountRow> => {
  const findRepeat = createRepeatCheck();
  const findQuestion = createQuestionCheck();
  return createSending({ ...input, dry_run: true }, (row, result) => {
    const { outcome, id = null, changes = [] } = result;
    const values = row.input === null ? { reason: row.reason } : parseImportRow(row.input);
    if ('reason' in values) return toRejected(row, values.reason);
    const earlier = findRepeat(values, id);
    if (earlier !== null) return toRejected(row, repeatedRowReason(row.line, earlier));
    const question = findQuestion(result, values);
    const reason = question?.reason ?? formatChanges(changes);
    const status = plannedStatuses[outcome];
    if (question === null) return { ...row, status, reason, id };
    return {
      ...row,
      status: question.question,
      reason,
      id,
      asked: outcome === 'created' ? 'create' : 'change',
    };
  });
};

const createImport = (input: ImportInput): Sending<AccountRow> =>
  createSending({ ...input, dry_run: false }, (row, { outcome, id = null }) => {
    // A batch is sent again if its response was lost. The first request has then imported the row.
    const firstOutcome = row.status === 'create' ? 'created' : 'changed';
    return { ...row, status: outcome === 'unchanged' ? firstOutcome : outcome, id };
  });

/** Deletes the accounts that the import has created, and marks the rows of those that are kept. */
const undoRows = async (importId: string, rows: readonly AccountRow[]): Promise<readonly AccountRow[]> => {
  const { kept } = await undoImport(importId);
  return rows.map((row): AccountRow => {
    if (row.status !== 'created' || row.id === null) return row;
    const reason = kept.get(row.id);
    return reason === undefined
      ? { ...row, status: 'deleted', id: null }
      : { ...row, status: 'kept', reason };
  });
};

const toTypeChoices = ({ words, others }: WordChoices) => ({
  words: words as ReadonlyMap<string, ChosenType>,
  others: others as ChosenType | null,
});

const createJob: CsvList<ImportColumn, AccountRow>['createJob'] = (
  { name, records, lines },
  mapping,
  words,
) => {
  const types = toTypeChoices(words);
  const { others } = types;
  const input = others === null || others === 'none' ? {} : { default_type: others };
  const importId = crypto.randomUUID();
  // One for all checks of the job: after an interruption it still contains the rows of the earlier batches.
  const dryRun = createDryRun({ ...input, compare_spelling: records.length <= maxSpellingRows });
  const fileName = toImportFileName(name);
  const sending = createImport({
    ...input,
    import_id: importId,
    ...(fileName === undefined ? {} : { file_name: fileName }),
  });
  const rows = records.map((record, index): AccountRow => {
    const line = lines[index] ?? 0;
    const row = toImportRow(record, mapping, line, types);
    if (!('reason' in row)) return { line, id: null, status: null, reason: '', input: row };
    const { reason, excluded = null } = row;
    return { line, id: null, status: excluded === null ? 'rejected' : 'excluded', reason, input: excluded };
  });
  return {
    rows,
    check: () => dryRun,
    send: () => sending,
    undo: (sent) => undoRows(importId, sent),
  };
};

const toName = ({ input }: AccountRow): string => input?.name ?? '';

export const accountImport: CsvList<ImportColumn, AccountRow> = {
  limits: importFileLimits,
  columnNames: importColumnNames,
  columnRules: importColumnRules,
  columnLabels,
  wordRules: typeRules,
  template: { name: 'accounts-template.csv', header: templateHeader },
  findColumnProblem: (mapping, file) => findColumnProblem({ mapping, file, advice: 'Choose one above.' }),
  findOtherImport: (unused) => (hasContactColumns(unused) ? otherImport : null),
  createJob,
  isDue: ({ status }) => status === 'create' || status === 'change',
  isProblem: ({ status }) => status === 'rejected',
  choice: {
    isOffered: ({ asked }) => asked !== undefined,
    isChosen: ({ status }) => status === 'create' || status === 'change',
    choose: (row, chosen) => ({ ...row, status: chosen ? (row.asked ?? null) : askedStatus(row) }),
    label: importText.askedRows,
    column: { header: 'Import', label: (row) => `Import ${toName(row)}` },
  },
  undo: { isUndoable: ({ status }) => status === 'created', text: undoImportText },
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

const askedStatus = ({ asked }: AccountRow): ImportStatus =>
  asked === 'create' ? 'similar' : 'by_name_only';
