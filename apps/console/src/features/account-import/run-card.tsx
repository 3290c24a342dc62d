/** The dry run or the import: progress, result of each row, and the next step. */
import type { ImportOutcome, ImportResult } from '@lanternrock/contract/account-import';
import { type ReactNode, useEffect, useId, useMemo } from 'react';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, CardContent, CardFooter, CardHeader, CardTitle } from '../../ui/card.tsx';
import { DataTable, type DataColumn, type DataFilter } from '../../ui/data-table.tsx';
import { Progress } from '../../ui/progress.tsx';
import { useKeptFocus } from '../../ui/use-kept-focus.ts';
import { countOutcomes, countPlanned, type ImportRun } from './import-run.ts';
import { importText } from './import-text.ts';
import { saveResults } from './save-results.ts';
import type { AccountImport, Stop } from './use-import.ts';

const text = importText.run;

interface RunCardProps {
  state: AccountImport;
  run: ImportRun;
}

export function RunCard({ state, run }: RunCardProps): React.JSX.Element {
  const id = useId();
  const { running, stop, done } = state;
  const total = run.rows.length;
  const label = run.dryRun ? text.checking : text.importing;
  useContinueWhenOnline(state);
  const keptFocus = useKeptFocus();
  return (
    <Card aria-labelledby={id} {...keptFocus}>
      <CardHeader>
        <CardTitle id={id}>{text.title}</CardTitle>
      </CardHeader>
      <CardContent className="grid gap-4">
        {running && <Progress label={label} value={(100 * done) / total} />}
        <output className="grid gap-1 text-sm">
          {running && <span className="sr-only">{label}</span>}
          {!running && <Outcome run={run} stop={stop} />}
        </output>
        {!running && done > 0 && <ResultTable run={run} done={done} />}
      </CardContent>
      <CardFooter className="flex-wrap">
        <Actions state={state} run={run} />
      </CardFooter>
    </Card>
  );
}

/** Continues an import that lost its connection. */
function useContinueWhenOnline({ stop, proceed }: AccountImport): void {
  const interrupted = stop?.reason === 'interrupted';
  useEffect(() => {
    if (!interrupted) return undefined;
    const resume = (): void => void proceed();
    addEventListener('online', resume);
    return () => removeEventListener('online', resume);
  });
}

function Outcome({ run, stop }: { run: ImportRun; stop: Stop | undefined }): React.JSX.Element {
  const { dryRun, results, rows } = run;
  const summary = importText.summary(countOutcomes(results), dryRun);
  if (stop === undefined) {
    const hasNext = dryRun && countPlanned(results) > 0;
    return (
      <>
        <strong className="font-semibold">
          {hasNext ? text.checked : dryRun ? text.nothing : text.done}
        </strong>
        <span>{summary}</span>
      </>
    );
  }
  const title = text[stop.reason](results.length, rows.length);
  return (
    <Alert title={title} variant={stop.reason === 'canceled' ? 'default' : 'destructive'}>
      {stop.reason === 'failed' && <p>{stop.message}</p>}
      <p>{summary}</p>
      {!dryRun && <p>{text.stays}</p>}
    </Alert>
  );
}

function Actions({ state, run }: RunCardProps): ReactNode {
  if (state.running) {
    return (
      <Button variant="outline" onClick={state.cancel}>
        {text.cancel}
      </Button>
    );
  }
  const planned = run.dryRun ? countPlanned(run.results) : 0;
  return (
    <>
      {state.stop !== undefined && (
        <Button onClick={() => void state.proceed()}>
          {run.dryRun ? text.continueCheck : text.continueImport}
        </Button>
      )}
      {state.stop === undefined && planned > 0 && (
        <Button onClick={() => void state.start()}>{text.import(planned)}</Button>
      )}
      {run.results.length > 0 && (
        <Button variant="outline" onClick={() => void saveResults(state.file?.name ?? '', run)}>
          {text.save}
        </Button>
      )}
    </>
  );
}

interface ResultRow extends ImportResult {
  readonly name: string;
}

const rowText = importText.table;

const filters: readonly DataFilter<ResultRow>[] = [
  {
    key: 'problems',
    label: rowText.filter,
    options: [
      { value: 'all', label: rowText.all },
      { value: 'rejected', label: rowText.problems },
    ],
    value: ({ outcome }) => outcome,
  },
];

const columnsFor = (labels: Readonly<Record<ImportOutcome, string>>): readonly DataColumn<ResultRow>[] => [
  { key: 'line', header: rowText.line, cell: ({ line }) => <span className="tabular-nums">{line}</span> },
  {
    key: 'name',
    header: rowText.name,
    cell: ({ name }) => (
      <span title={name} translate="no">
        {name}
      </span>
    ),
  },
  { key: 'result', header: rowText.result, cell: ({ outcome }) => labels[outcome] },
  {
    key: 'reason',
    header: rowText.reason,
    cell: ({ reason = '' }) => <span title={reason}>{reason}</span>,
  },
];

function ResultTable({ run, done }: { run: ImportRun; done: number }): React.JSX.Element {
  const rows = useMemo(
    () =>
      run.results.slice(0, done).map((result, index): ResultRow => {
        const row = run.rows[index];
        return { ...result, name: row !== undefined && 'name' in row ? (row.name ?? '') : '' };
      }),
    [run, done],
  );
  const labels = run.dryRun ? importText.expectedOutcomes : importText.outcomes;
  return (
    <DataTable
      label={rowText.label}
      columns={columnsFor(labels)}
      rows={rows}
      rowKey={({ line }) => String(line)}
      emptyMessage={rowText.empty}
      filters={filters}
    />
  );
}
