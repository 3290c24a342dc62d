/** The check or the sending: progress, result of each row, and the next step. */
import { type ReactNode, useEffect, useId } from 'react';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, CardContent, CardFooter, CardHeader, CardTitle } from '../../ui/card.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Progress } from '../../ui/progress.tsx';
import type { CsvRow, RowRules } from './csv-list.ts';
import { csvRunText } from './csv-run-text.ts';
import { isChecked, ResultTable } from './result-table.tsx';
import { saveResults } from './save-results.ts';
import { SentActions } from './sent-actions.tsx';
import type { CsvRun, RunState } from './use-csv-run.ts';
import { useKeptFocus } from './use-kept-focus.ts';

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
        {!running && <ResultTable list={list} run={run} state={state} />}
      </CardContent>
      <CardFooter className="flex-wrap">
        <Actions {...props} />
      </CardFooter>
    </Card>
  );
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
        {state.undone === true
          ? run.undone
          : phase === 'send'
            ? run.done
            : due > 0
              ? run.checked
              : run.nothing}
      </strong>
      <span>{summary(tally, phase)}</span>
      {quota !== null && due > quota.left && <span>{run.quota?.(quota)}</span>}
    </>
  );
}

/** The choice for all rows that the user decides about. */
function Choice<Row extends CsvRow>({
  list: { choice },
  run,
  state: { rows, phase, stop },
}: ResultCardProps<Row>): ReactNode {
  if (choice === undefined || phase === 'send' || stop !== null) return null;
  const offered = rows.filter(choice.isOffered);
  if (offered.length === 0) return null;
  const chosen = offered.filter(choice.isChosen).length;
  const chooseAll = (all: boolean): void =>
    run.setRows(rows.map((row) => (choice.isOffered(row) ? choice.choose(row, all) : row)));
  return (
    <label className="flex w-fit items-center gap-2 text-sm">
      <Checkbox
        checked={chosen === offered.length}
        indeterminate={chosen > 0 && chosen < offered.length}
        onChange={({ target }) => chooseAll(target.checked)}
      />
      {choice.label(offered.length)}
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
      {phase === 'send' && <SentActions list={list} run={run} rows={rows} />}
      {rows.some(isChecked) && (
        <Button variant="outline" onClick={() => saveResults(fileName, list, rows)}>
          {text.save}
        </Button>
      )}
    </>
  );
}
