/** The result of each row: problems first, then rows that the user decides about, then the others. */
import { type ReactNode, useMemo } from 'react';
import { Checkbox } from '../../ui/checkbox.tsx';
import type { Column } from '../../ui/column.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import type { CsvRow, RowRules } from './csv-list.ts';
import { csvRunText } from './csv-run-text.ts';
import type { CsvRun, RunState } from './use-csv-run.ts';

const { table } = csvRunText;

export const isChecked = ({ status }: CsvRow): boolean => status !== null;

interface ResultTableProps<Row extends CsvRow> {
  list: RowRules<Row>;
  run: CsvRun<Row>;
  state: RunState<Row>;
}

export function ResultTable<Row extends CsvRow>({ list, run, state }: ResultTableProps<Row>): ReactNode {
  const { rows, phase, stop } = state;
  const sorted = useMemo(() => sortRows(list, rows), [list, rows]);
  if (sorted.length === 0) return null;
  const canChoose = phase === 'check' && stop === null;
  const setRow = (changed: Row): void =>
    run.setRows(rows.map((row) => (row.line === changed.line ? changed : row)));
  return (
    <DataTable
      label={list.text.table}
      columns={createColumns(list, canChoose && sorted.some((row) => isOffered(list, row)) ? setRow : null)}
      rows={sorted}
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

const isOffered = <Row,>({ choice }: RowRules<Row>, row: Row): boolean =>
  choice?.column !== undefined && choice.isOffered(row);

function sortRows<Row extends CsvRow>(list: RowRules<Row>, rows: readonly Row[]): readonly Row[] {
  const rank = (row: Row): number => (list.isProblem(row) ? 0 : isOffered(list, row) ? 1 : 2);
  return rows.filter(isChecked).toSorted((a, b) => rank(a) - rank(b));
}

/** @param setRow called with a row that the user has decided about; null without such rows */
function createColumns<Row extends CsvRow>(
  { rowColumns, choice, text: { statuses } }: RowRules<Row>,
  setRow: ((row: Row) => void) | null,
): readonly Column<Row>[] {
  const columns: Column<Row>[] = [
    { key: 'line', header: table.line, className: 'tabular-nums', cell: ({ line }) => line },
    ...rowColumns,
    { key: 'result', header: table.result, cell: ({ status }) => statuses[status ?? ''] },
    { key: 'reason', header: table.reason, cell: ({ reason }) => <span title={reason}>{reason}</span> },
  ];
  if (setRow === null || choice?.column === undefined) return columns;
  const { header, label } = choice.column;
  const chooser: Column<Row> = {
    key: 'choice',
    header,
    cell: (row) =>
      choice.isOffered(row) && (
        <Checkbox
          aria-label={label(row)}
          checked={choice.isChosen(row)}
          onChange={({ target }) => setRow(choice.choose(row, target.checked))}
        />
      ),
  };
  return [chooser, ...columns];
}
