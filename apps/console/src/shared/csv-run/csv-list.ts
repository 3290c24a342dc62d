/** Describes a kind of list to the CSV run: its columns, how its rows are checked and sent, and its texts. */
import type { ColumnMapping, FileLimits } from '@lanternrock/contract/csv-file';
import type { LeaveConfirmationTexts } from '../../forms/leave-confirmation.tsx';
import type { Column as TableColumn } from '../../ui/column.tsx';
import type { CsvFile, CsvResult } from './read-csv.ts';

export interface CsvRow {
  /** Line of the file, counted from 1; the header is line 1. */
  readonly line: number;
  /** Null before the check. */
  readonly status: string | null;
  readonly reason: string;
}

/** The check sends rows without a status, and `send` sends those that `CsvList.isDue` selects. */
export type Phase = 'check' | 'send';

export interface BatchResult<Row> {
  /** Rows from the start of the batch, with their results. The others are sent again. */
  readonly rows: readonly Row[];
  /** Why the service sends no more now; null if it does. */
  readonly stopped?: string | null;
  /** How many rows can be sent now, and per hour. */
  readonly quota?: Quota;
}

export interface Quota {
  readonly left: number;
  readonly limit: number;
}

/** How the rows of a phase are sent in batches. */
export interface Sending<Row> {
  /** `bytes`: of the items as JSON. */
  readonly limits: { readonly rows: number; readonly bytes: number };
  /** Returns what a request contains for a row. */
  readonly toItem: (row: Row) => unknown;
  readonly sendBatch: (batch: readonly Row[], signal: AbortSignal | undefined) => Promise<BatchResult<Row>>;
  /**
   * Present if a repeated request has an effect: converts a row whose response was lost. *Cancel* then waits for the
   * request, and a lost connection waits for the user.
   */
  readonly toUnanswered?: (row: Row) => Row;
}

/** The rows of a file, and how they are sent. Each function is called once per start and continuation of its phase. */
export interface CsvJob<Row> extends Readonly<Record<Phase, () => Sending<Row>>> {
  readonly rows: readonly Row[];
}

/** Why a run is not complete. An interrupted run continues by itself when the browser is online again. */
export interface Stop {
  readonly reason: 'canceled' | 'interrupted' | 'failed';
  readonly message: string;
}

/** How rows are selected, shown and saved. */
export interface RowRules<Row> {
  readonly isDue: (row: Row) => boolean;
  readonly isProblem: (row: Row) => boolean;
  /** Rows of the status `off` are sent only if the user chooses it; their status is then `on`. */
  readonly choice?: { readonly off: string; readonly on: string; readonly label: (total: number) => string };
  /** Columns of the table between line and result. */
  readonly rowColumns: readonly TableColumn<Row>[];
  readonly savedColumns: Readonly<Record<string, (row: Row) => string | number>>;
  readonly text: CsvListText;
}

export interface CsvList<Column extends string, Row> extends RowRules<Row> {
  readonly limits: FileLimits;
  /** Names of each column, as in `guessColumns`. */
  readonly columnNames: Readonly<Record<Column, readonly string[]>>;
  readonly columnLabels: Readonly<Record<Column, string>>;
  /** Returns the file, or the sentence that explains why it cannot be used. */
  readonly checkFile?: (file: CsvFile) => CsvResult;
  /** Returns the sentence that explains why the columns cannot be used, or null. */
  readonly findColumnProblem: (mapping: ColumnMapping<Column>, file: CsvFile) => string | null;
  readonly createJob: (file: CsvFile, mapping: ColumnMapping<Column>) => CsvJob<Row>;
}

export interface CsvListText {
  readonly title: string;
  readonly file: { readonly title: string; readonly help: string };
  /** Absent if rows cannot be pasted. */
  readonly paste?: {
    readonly label: string;
    readonly help: string;
    readonly use: string;
    /** Used as the name of the file. */
    readonly name: string;
    readonly discard: LeaveConfirmationTexts;
  };
  readonly columns: { readonly description: string; readonly unused: string };
  readonly run: {
    readonly sending: string;
    readonly checked: string;
    readonly nothing: string;
    readonly done: string;
    readonly send: (due: number) => string;
    readonly resume: (due: number) => string;
    readonly stopped: (stop: Stop, done: number, total: number) => string;
    /** Explains a stop below its title; null if the title does. */
    readonly stopReason: (stop: Stop) => string | null;
    readonly kept: string;
    readonly quota?: (quota: Quota) => string;
  };
  readonly table: string;
  readonly statuses: Readonly<Record<string, string>>;
  readonly summary: (tally: ReadonlyMap<string | null, number>, phase: Phase) => string;
  readonly leave: LeaveConfirmationTexts;
}
