/** The plan or the results of a list: progress, summary, the result of each row, and the next step. */
import { type ReactNode, useId } from 'react';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, CardContent, CardFooter, CardHeader, CardTitle } from '../../ui/card.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { DataTable, type DataColumn, type DataFilter } from '../../ui/data-table.tsx';
import { Progress } from '../../ui/progress.tsx';
import { useKeptFocus } from '../../ui/use-kept-focus.ts';
import { inviteListText } from './invite-list-text.ts';
import { countStatuses, isDue, isProblem } from './invite-run.ts';
import type { ListRow } from './list-row.ts';
import { saveListResults } from './save-list-results.ts';
import type { InviteList } from './use-invite-list.ts';

const text = inviteListText.run;

/** Renders nothing before the first check. */
export function ListResultCard({ state }: { state: InviteList }): ReactNode {
  const id = useId();
  const keptFocus = useKeptFocus();
  const { running, rows, stopped } = state;
  if (running === null && rows === null && stopped === null) return null;
  const label = running === 'checking' ? text.checking : text.sending;
  return (
    <Card aria-labelledby={id} {...keptFocus}>
      <CardHeader>
        <CardTitle id={id}>{text.title}</CardTitle>
      </CardHeader>
      <CardContent className="grid gap-4">
        {running !== null && <Progress label={label} value={100 * state.progress} />}
        <output className="grid gap-1 text-sm">
          {running === null ? <Summary state={state} /> : <span className="sr-only">{label}</span>}
        </output>
        {running === null && rows !== null && <AgainChoice state={state} rows={rows} />}
        {running === null && rows !== null && <RowTable rows={rows} />}
      </CardContent>
      <CardFooter className="flex-wrap">
        <Actions state={state} />
      </CardFooter>
    </Card>
  );
}

function Summary({ state: { rows, quota, stopped, isSent } }: { state: InviteList }): React.JSX.Element {
  const due = rows?.filter(isDue).length ?? 0;
  const summary = rows === null ? '' : inviteListText.summary(countStatuses(rows));
  if (stopped !== null) {
    return (
      <Alert title={text.stopped} variant="destructive">
        <p>{stopped}</p>
        {summary !== '' && <p>{summary}.</p>}
        {isSent && due > 0 && <p>{text.resume}</p>}
      </Alert>
    );
  }
  const title = isSent ? text.done : due > 0 ? text.checked : text.nothing;
  return (
    <>
      <strong className="font-semibold">{title}</strong>
      <span>{summary}</span>
      {!isSent && quota !== null && due > quota.left && <span>{text.quota(quota.left, quota.limit)}</span>}
    </>
  );
}

/** A list sends nothing twice unless the user chooses it. */
function AgainChoice({ state, rows }: { state: InviteList; rows: readonly ListRow[] }): ReactNode {
  const total = rows.filter(({ status }) => status === 'pending' || status === 'again').length;
  if (state.isSent || total === 0) return null;
  return (
    <label className="flex w-fit items-center gap-2 text-sm">
      <Checkbox
        checked={rows.some(({ status }) => status === 'again')}
        onChange={({ target }) => state.setAgain(target.checked)}
      />
      {text.again(total)}
    </label>
  );
}

function Actions({ state }: { state: InviteList }): React.JSX.Element {
  const { running, canceling, rows, isSent } = state;
  if (running !== null) {
    return (
      <Button variant="outline" pending={canceling} pendingLabel={text.canceling} onClick={state.cancel}>
        {text.cancel}
      </Button>
    );
  }
  const due = rows?.filter(isDue).length ?? 0;
  return (
    <>
      {due > 0 && (
        <Button onClick={() => void state.send()}>{isSent ? text.continue(due) : text.invite(due)}</Button>
      )}
      {rows !== null && (
        <Button variant="outline" onClick={() => void saveListResults(state.file?.name ?? '', rows)}>
          {text.save}
        </Button>
      )}
    </>
  );
}

const table = inviteListText.table;

const columns: readonly DataColumn<ListRow>[] = [
  {
    key: 'line',
    header: table.line,
    cell: ({ input }) => <span className="tabular-nums">{input.line}</span>,
  },
  {
    key: 'email',
    header: table.email,
    cell: ({ email }) => (
      <bdi translate="no" title={email}>
        {email}
      </bdi>
    ),
  },
  {
    key: 'name',
    header: table.name,
    cell: ({ input }) => (
      <bdi translate="no" title={input.fullName}>
        {input.fullName}
      </bdi>
    ),
  },
  { key: 'result', header: table.result, cell: ({ status }) => inviteListText.statuses[status] },
  { key: 'reason', header: table.reason, cell: ({ reason }) => <span title={reason}>{reason}</span> },
];

const filters: readonly DataFilter<ListRow>[] = [
  {
    key: 'problems',
    label: table.filter,
    options: [
      { value: 'all', label: table.all },
      { value: 'problem', label: table.problems },
    ],
    value: (row) => (isProblem(row) ? 'problem' : ''),
  },
];

const RowTable = ({ rows }: { rows: readonly ListRow[] }): React.JSX.Element => (
  <DataTable
    label={table.label}
    columns={columns}
    rows={rows}
    rowKey={({ input }) => String(input.line)}
    emptyMessage={table.empty}
    filters={filters}
  />
);
