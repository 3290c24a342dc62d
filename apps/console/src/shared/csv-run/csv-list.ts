/** Describes a kind of list to the CSV run: its columns, how its rows are checked and sent, and its texts. */
import type { ColumnMapping, ColumnNames } from '@lanternrock/contract/column-guess';
import type { FileLimits } from '@lanternrock/contract/csv-file';
import type { ListFile } from '@lanternrock/contract/list-file';
import type { LeaveConfirmationTexts } from '../../forms/leave-confirmation.tsx';
import type { Column as TableColumn } from '../../ui/column.tsx';
import type { SelectOption } from '../../ui/select.tsx';

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
  /** Removes what the sending created, and returns the rows with their results. */
  readonly undo?: (rows: readonly Row[]) => Promise<readonly Row[]>;
}

/** Why a run is not complete. An interrupted run continues by itself when the browser is online again. */
export interface Stop {
  readonly reason: 'canceled' | 'interrupted' | 'failed';
  readonly message: string;
}

/** Rows that are sent only if the user chooses it, one by one or all of them. */
interface RowChoice<Row> {
  /** Returns true for a row that the user decides about. */
  readonly isOffered: (row: Row) => boolean;
  readonly isChosen: (row: Row) => boolean;
  readonly choose: (row: Row, chosen: boolean) => Row;
  /** Label of the choice for all rows. */
  readonly label: (total: number) => string;
  /** Header of the column with a choice for each row. Absent if there is only the choice for all rows. */
  readonly column?: { readonly header: string; readonly label: (row: Row) => string };
}

/** The removal of what the sending created, if the job has `undo`. */
export interface RunUndo<Row> {
  /** Returns true if a row has something to remove. */
  readonly isUndoable: (row: Row) => boolean;
  readonly text: {
    readonly button: string;
    readonly running: string;
    readonly failed: string;
    readonly confirm: (total: number) => {
      readonly title: string;
      readonly description: string;
      readonly confirmLabel: string;
    };
  };
}

/** How rows are selected, shown and saved. */
export interface RowRules<Row> {
  readonly isDue: (row: Row) => boolean;
  readonly isProblem: (row: Row) => boolean;
  readonly choice?: RowChoice<Row>;
  readonly undo?: RunUndo<Row>;
  /** Columns of the table between line and result. */
  readonly rowColumns: readonly TableColumn<Row>[];
  readonly savedColumns: Readonly<Record<string, (row: Row) => string | number>>;
  readonly text: CsvListText;
}

/** What the user chose for the words of a column, by the key of the word. */
export interface WordChoices {
  readonly words: ReadonlyMap<string, string>;
  /** For rows without a word, and for words without a choice. */
  readonly others: string | null;
}

/** A word of the file that is none of the known ones. */
interface UnknownWord {
  readonly key: string;
  readonly word: string;
  readonly rows: number;
}

/** A column whose words a person maps to known ones. */
export interface WordRules<Column extends string> {
  readonly options: readonly SelectOption[];
  /** Returns the words that need a choice, the most frequent first. Rows without a word are not listed. */
  readonly listWords: (file: ListFile, mapping: ColumnMapping<Column>) => readonly UnknownWord[];
  /**
   * Returns true if rows without a word, or with an unknown one, need a choice.
   *
   * @param chosen words that have a choice, by their key; without it, none
   */
  readonly needsOthers: (
    file: ListFile,
    mapping: ColumnMapping<Column>,
    chosen?: WordChoices['words'],
  ) => boolean;
  /** Returns the sentence that says which choice is missing, or null. */
  readonly findProblem: (
    file: ListFile,
    mapping: ColumnMapping<Column>,
    choices: WordChoices,
  ) => string | null;
  readonly text: {
    readonly title: string;
    readonly description: string;
    /** Before the quoted word. */
    readonly word: string;
    /** @param hasWords true if words are listed above */
    readonly others: (hasWords: boolean) => string;
    /** Help text of that field after each word has a choice. */
    readonly othersNotNeeded: string;
    readonly placeholder: string;
    readonly more: (total: number) => string;
  };
}

/** A sentence with a link to another list. */
interface OtherImport {
  readonly text: string;
  readonly link: string;
  readonly to: string;
}

export interface CsvList<Column extends string, Row> extends RowRules<Row> {
  readonly limits: FileLimits;
  /** Names of each column, as in `guessColumns`. */
  readonly columnNames: Readonly<Record<Column, ColumnNames>>;
  /** Rules of the texts of a column, as in `guessColumns`. */
  readonly columnRules: { readonly [Each in Column]?: (cell: string) => boolean };
  readonly columnLabels: Readonly<Record<Column, string>>;
  /** Absent if no column has known words. */
  readonly wordRules?: WordRules<Column>;
  /** Returns where columns can be imported that this list does not use; null for no such columns. */
  readonly findOtherImport?: (unused: readonly string[]) => OtherImport | null;
  /** The header of the template. */
  readonly template: { readonly name: string; readonly header: readonly string[] };
  /** Returns the sentence that explains why the columns cannot be used, or null. */
  readonly findColumnProblem: (mapping: ColumnMapping<Column>, file: ListFile) => string | null;
  readonly createJob: (file: ListFile, mapping: ColumnMapping<Column>, words: WordChoices) => CsvJob<Row>;
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
  readonly columns: { readonly description: string };
  /** Link to the screen that shows what was sent. */
  readonly show: {
    readonly label: string;
    readonly to: string;
    readonly search?: Readonly<Record<string, string>>;
  };
  readonly run: {
    readonly sending: string;
    readonly checked: string;
    readonly nothing: string;
    readonly done: string;
    /** After an undo. */
    readonly undone?: string;
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
