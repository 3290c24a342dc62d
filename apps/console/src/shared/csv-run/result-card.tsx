/** The check or the sending: progress, result of each row, and the next step. */
import { guardFormulas, quotedMatch } from '@lanternrock/contract/csv-guard';
import { stringify } from 'csv-stringify/browser/esm/sync';
import { type FocusEvent, type ReactNode, useEffect, useId, useLayoutEffect, useRef } from 'react';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, CardContent, CardFooter, CardHeader, CardTitle } from '../../ui/card.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import type { Column } from '../../ui/column.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Progress } from '../../ui/progress.tsx';
import { saveFile } from '../../ui/save-file.ts';
import type { CsvRow, RowRules } from './csv-list.ts';
import { csvRunText } from './csv-run-text.ts';
import type { CsvRun, RunState } from './use-csv-run.ts';

const text = csvRunText.run;

interface ResultCardProps<Row extends CsvRow> {
  list: RowRules<Row>;
  run: CsvRun<Row>;
  state: RunState<Row>;
  fileName: string;
}

export function ResultCard<Row extends CsvRow>(props: ResultCardProps<Row>): React.JSX.Element {
  const { list, run, state } = props;
  const id = useId();
  useResumeOnline(run, state);
  const keptFocus = useKeptFocus();
  const { running, done, rows } = state;
  const label = state.phase === 'check' ? csvRunText.columns.checking : list.text.run.sending;
  return (
    <Card aria-labelledby={id} {...keptFocus}>
      <CardHeader>
        <CardTitle id={id}>{text.title}</CardTitle>
      </CardHeader>
      <CardContent className="grid gap-4">
        {running && <Progress label={label} value={(100 * done) / rows.length} />}
        <output className="grid gap-1 text-sm">
          {running ? <span className="sr-only">{label}</span> : <Summary {...props} />}
        </output>
        {!running && <Choice {...props} />}
        {!running && <RowTable list={list} rows={rows} />}
      </CardContent>
      <CardFooter className="flex-wrap">
        <Actions {...props} />
      </CardFooter>
    </Card>
  );
}

interface KeptFocusProps {
  readonly ref: React.RefObject<HTMLElement | null>;
  readonly tabIndex: -1;
  readonly onFocus: () => void;
  readonly onBlur: (event: FocusEvent) => void;
}

/**
 * Returns the props of the element. It gets the focus itself after a render that removed its focused control,
 * for example the button that started a run.
 */
function useKeptFocus(): KeptFocusProps {
  const ref = useRef<HTMLElement>(null);
  const hadFocus = useRef(false);
  // React reports no blur for a control that it removes.
  useLayoutEffect(() => {
    if (hadFocus.current && document.activeElement === document.body)
      ref.current?.focus({ preventScroll: true });
  });
  return {
    ref,
    tabIndex: -1,
    onFocus: () => {
      hadFocus.current = true;
    },
    onBlur: ({ currentTarget, relatedTarget }) => {
      hadFocus.current = currentTarget.contains(relatedTarget);
    },
  };
}

/** Continues a run that lost its connection. */
function useResumeOnline<Row>({ proceed }: CsvRun<Row>, { stop, phase }: RunState<Row>): void {
  const isInterrupted = stop?.reason === 'interrupted';
  useEffect(() => {
    if (!isInterrupted) return undefined;
    const resume = (): void => proceed(phase);
    addEventListener('online', resume);
    return () => removeEventListener('online', resume);
  });
}

function Summary<Row extends CsvRow>({ list, state }: ResultCardProps<Row>): React.JSX.Element {
  const { run, summary } = list.text;
  const { rows, phase, stop, done, quota } = state;
  const tally = new Map<string | null, number>();
  for (const { status } of rows) tally.set(status, (tally.get(status) ?? 0) + 1);
  if (stop !== null) {
    const reason = run.stopReason(stop);
    return (
      <Alert
        title={run.stopped(stop, done, rows.length)}
        variant={stop.reason === 'canceled' ? 'default' : 'destructive'}
      >
        {reason !== null && <p>{reason}</p>}
        <p>{summary(tally, phase)}</p>
        {phase === 'send' && <p>{run.kept}</p>}
      </Alert>
    );
  }
  const due = rows.filter(list.isDue).length;
  return (
    <>
      <strong className="font-semibold">
        {phase === 'send' ? run.done : due > 0 ? run.checked : run.nothing}
      </strong>
      <span>{summary(tally, phase)}</span>
      {quota !== null && due > quota.left && <span>{run.quota?.(quota)}</span>}
    </>
  );
}

function Choice<Row extends CsvRow>({
  list: { choice },
  run,
  state: { rows, phase, stop },
}: ResultCardProps<Row>): ReactNode {
  if (choice === undefined || phase === 'send' || stop !== null) return null;
  const { off, on, label } = choice;
  const total = rows.filter(({ status }) => status === off || status === on).length;
  if (total === 0) return null;
  const replace = (from: string, to: string): void =>
    run.setRows(rows.map((row) => (row.status === from ? { ...row, status: to } : row)));
  return (
    <label className="flex w-fit items-center gap-2 text-sm">
      <Checkbox
        checked={rows.some(({ status }) => status === on)}
        onChange={({ target }) => (target.checked ? replace(off, on) : replace(on, off))}
      />
      {label(total)}
    </label>
  );
}

function Actions<Row extends CsvRow>({
  list,
  run,
  state,
  fileName,
}: ResultCardProps<Row>): React.JSX.Element {
  const { rows, phase, stop } = state;
  if (state.running) {
    return (
      <Button variant="outline" pending={state.canceling} pendingLabel={text.canceling} onClick={run.cancel}>
        {text.cancel}
      </Button>
    );
  }
  const due = rows.filter(list.isDue).length;
  const { send, resume } = list.text.run;
  return (
    <>
      {stop !== null && (
        <Button onClick={() => run.proceed(phase)}>
          {phase === 'check' ? text.continueCheck : resume(due)}
        </Button>
      )}
      {stop === null && due > 0 && <Button onClick={() => run.proceed('send')}>{send(due)}</Button>}
      {rows.some(isChecked) && (
        <Button variant="outline" onClick={() => saveResults(fileName, list, rows)}>
          {text.save}
        </Button>
      )}
    </>
  );
}

const isChecked = ({ status }: CsvRow): boolean => status !== null;

const { table } = csvRunText;

const createColumns = <Row extends CsvRow>({
  rowColumns,
  text: { statuses },
}: RowRules<Row>): readonly Column<Row>[] => [
  { key: 'line', header: table.line, className: 'tabular-nums', cell: ({ line }) => line },
  ...rowColumns,
  { key: 'result', header: table.result, cell: ({ status }) => statuses[status ?? ''] },
  { key: 'reason', header: table.reason, cell: ({ reason }) => <span title={reason}>{reason}</span> },
];

interface RowTableProps<Row extends CsvRow> {
  list: RowRules<Row>;
  rows: readonly Row[];
}

function RowTable<Row extends CsvRow>({ list, rows }: RowTableProps<Row>): ReactNode {
  const checked = rows.filter(isChecked);
  if (checked.length === 0) return null;
  return (
    <DataTable
      label={list.text.table}
      columns={createColumns(list)}
      rows={checked}
      rowKey={({ line }) => String(line)}
      emptyMessage={table.empty}
      filters={[
        {
          key: 'problems',
          label: table.filter,
          options: [
            { value: 'all', label: table.all },
            { value: 'problem', label: table.problems },
          ],
          value: (row) => (list.isProblem(row) ? 'problem' : ''),
        },
      ]}
    />
  );
}

/** Saves the results as a CSV file that spreadsheet programs can open safely. */
function saveResults<Row extends CsvRow>(
  source: string,
  { savedColumns }: RowRules<Row>,
  rows: readonly Row[],
): void {
  const header = Object.keys(savedColumns);
  const cells = Object.values(savedColumns);
  const records = rows.filter(isChecked).map((row) => cells.map((cell) => cell(row)));
  const csv = stringify([header, ...records], {
    // Excel recognizes UTF-8 by it.
    bom: true,
    record_delimiter: 'windows',
    quoted_match: quotedMatch,
    cast: { string: guardFormulas },
  });
  void saveFile({
    action: 'save-results',
    fileName: `${source.replace(/\.[^.]*$/, '')}-results.csv`,
    load: async () => new Blob([csv], { type: 'text/csv' }),
    text: text.saving,
  });
}
