/** A table of records that open in a panel: by a click on the row, or by the keyboard. */
import { memo, type MouseEvent, type ReactNode, useDeferredValue, useEffect, useRef } from 'react';
import { RowCells, type Column, type ColumnOrder, type SortHandler, SkeletonRow } from './column.tsx';
import { cx } from './cx.ts';
import { FillingContainer } from './filling-container.tsx';
import { isModifiedClick } from './record-link.tsx';
import { useRowHeight } from './row-height.ts';
import { Table, TableContainer } from './table.tsx';
import { useIsPrinting } from './use-is-printing.ts';
import { useRowKeys } from './use-row-keys.ts';
import { type RowRange, useRowsInView } from './use-rows-in-view.ts';

/** A print of more rows takes the browser minutes. */
export const maxPrintedRows = 5000;

/** Maximum number of rows that are all rendered, so that the search of the browser finds every row. */
const maxPlainRows = 200;

interface RecordList<Row> {
  /** Number of rows of the whole list. */
  readonly total: number;
  /** Returns undefined while the row is loading. */
  readonly rowAt: (index: number) => Row | undefined;
  /** Loads the rows from `from` to `to`, both inclusive. */
  readonly loadRange?: (from: number, to: number) => void;
}

interface RecordRowsProps<Row> {
  columns: readonly Column<Row>[];
  list: RecordList<Row>;
  /** Name of a record, such as `account`. The ID of a row is in its attribute `data-account`. */
  record: string;
  openId: string | undefined;
  /** ID of the record that was just created. */
  createdId?: string | undefined;
  onOpen: (id: string) => void;
  /**
   * Minimum number of visible rows. The table then takes the remaining height of the window, and the rows of a long list are
   * virtual. They must have one height, so no column has a second line. Without it, the page scrolls, and all rows are
   * rendered.
   */
  minRows?: number;
}

interface RecordTableProps<Row> extends RecordRowsProps<Row> {
  /** Accessible name. */
  label: string;
  loading: boolean;
  /** True while rows may be missing. */
  busy: boolean;
  /** Shown instead of the rows, for an empty state or an error state. */
  message: ReactNode;
  /** Shown below the rows, in the same frame. */
  after?: ReactNode;
  order?: ColumnOrder | undefined;
  onSort?: SortHandler | undefined;
  className?: string;
}

export function RecordTable<Row extends { readonly id: string }>(
  props: RecordTableProps<Row>,
): React.JSX.Element {
  const { label, record, minRows } = props;
  const table = (
    <Table
      label={label}
      columns={props.columns}
      busy={props.busy}
      skeletonRows={props.loading ? (minRows ?? 10) : 0}
      message={props.message}
      rowCount={props.list.total}
      order={props.order}
      onSort={props.onSort}
      className={props.className}
    >
      <RecordRows {...props} />
    </Table>
  );
  const content = (
    <>
      {table}
      {/* As wide as the visible part of a table that is wider than the screen. */}
      {props.after !== undefined && (
        <div className="sticky left-0 w-[100cqw] print:hidden">{props.after}</div>
      )}
    </>
  );
  return minRows === undefined ? (
    <TableContainer label={label} scrolls="page">
      {content}
    </TableContainer>
  ) : (
    <FillingContainer label={label} minRows={minRows} restorationId={`${record}s`}>
      {content}
    </FillingContainer>
  );
}

/** Spacer rows replace the rows that are not rendered. A print contains all loaded rows. */
function RecordRows<Row extends { readonly id: string }>(props: RecordRowsProps<Row>): React.JSX.Element {
  const { columns, list, minRows } = props;
  const { total, loadRange } = list;
  const body = useRef<HTMLTableSectionElement>(null);
  const range = useRenderedRange(body, total, minRows);
  const rowHeight = useRowHeight(body);
  useEffect(() => loadRange?.(range.first, range.last), [loadRange, range.first, range.last]);
  const { focused, handlers } = useRowKeys(body, total);
  const renderedIds = new Set<string>();
  const renderRow = (index: number): ReactNode => {
    const row = list.rowAt(index);
    // Two pages contain the same row if another client deleted a row between their requests. React would never remove the
    // element of a repeated key. The header is row 1.
    if (row === undefined || renderedIds.has(row.id))
      return <SkeletonRow key={index} columns={columns} rowIndex={index + 2} />;
    renderedIds.add(row.id);
    return (
      <RecordRow
        key={row.id}
        columns={columns}
        row={row}
        index={index}
        record={props.record}
        isOpen={row.id === props.openId}
        isCreated={row.id === props.createdId}
        onOpen={props.onOpen}
      />
    );
  };
  if (useIsPrinting()) {
    const loaded = listIndexes({ first: 0, last: Math.min(total, maxPrintedRows) - 1 }).filter(
      (index) => list.rowAt(index) !== undefined,
    );
    const missing = total - loaded.length;
    return (
      <tbody>
        {loaded.map(renderRow)}
        {missing > 0 && (
          <tr>
            <td colSpan={columns.length} className="h-11 px-4">
              {missing} more {props.record}s are not loaded
            </td>
          </tr>
        )}
      </tbody>
    );
  }
  const rows: ReactNode[] = [];
  let end = 0;
  for (const index of withFocused(range, focused, total)) {
    if (index > end) rows.push(<SpacerRow key={`before ${index}`} height={(index - end) * rowHeight} />);
    rows.push(renderRow(index));
    end = index + 1;
  }
  if (end < total) rows.push(<SpacerRow key="after" height={(total - end) * rowHeight} />);
  return (
    // Only a virtual list needs to know which row has the focus: that row stays rendered.
    <tbody ref={body} {...(minRows === undefined ? { onKeyDown: handlers.onKeyDown } : handlers)}>
      {rows}
    </tbody>
  );
}

/**
 * Returns the rows to render. A short list is rendered in two passes: the visible rows first, then all rows.
 */
const useRenderedRange = (
  body: Parameters<typeof useRowsInView>[0],
  total: number,
  minRows: number | undefined,
): RowRange => {
  const inView = useRowsInView(body, total);
  const firstPass = (minRows ?? total) + 2;
  const rendered = useDeferredValue(total, firstPass);
  if (minRows !== undefined && total > maxPlainRows) return inView;
  return { first: 0, last: Math.min(total, Math.max(rendered, firstPass)) - 1 };
};

const listIndexes = ({ first, last }: RowRange): readonly number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

/** Returns the indexes of the range and of the focused row, in order. */
const withFocused = (range: RowRange, focused: number | undefined, total: number): readonly number[] => {
  const indexes = listIndexes(range);
  if (focused === undefined || focused < 0 || focused >= total) return indexes;
  if (focused < range.first) return [focused, ...indexes];
  return focused > range.last ? [...indexes, focused] : indexes;
};

/** Has the height of rows that are not rendered. */
const SpacerRow = ({ height }: { height: number }): React.JSX.Element => (
  <tr aria-hidden style={{ height }} />
);

interface RecordRowProps<Row> {
  columns: readonly Column<Row>[];
  row: Row;
  /** 0-based position in the whole list. */
  index: number;
  record: string;
  isOpen: boolean;
  isCreated: boolean;
  onOpen: (id: string) => void;
}

const RecordRow = memo(function RecordRow<Row extends { readonly id: string }>({
  row,
  isOpen,
  isCreated,
  onOpen,
  ...props
}: RecordRowProps<Row>) {
  const open = (): void => onOpen(row.id);
  return (
    <tr
      {...{ [`data-${props.record}`]: row.id }}
      data-created={isCreated ? '' : undefined}
      aria-rowindex={props.index + 2}
      aria-current={isOpen}
      onClick={(event) => {
        if (isRowActivation(event)) open();
      }}
      className={cx(
        'group cursor-pointer transition-colors duration-150 hover:bg-subtle',
        isOpen && 'bg-subtle',
        isCreated && 'bg-success-subtle',
      )}
    >
      <RowCells columns={props.columns} row={row} onOpen={open} />
    </tr>
  );
}) as <Row extends { readonly id: string }>(props: RecordRowProps<Row>) => React.JSX.Element;

/** Returns true if a click opens the row. Clicks on a control and text selections do not. */
const isRowActivation = (event: MouseEvent): boolean =>
  !isModifiedClick(event) &&
  !(event.target instanceof Element && event.target.closest('a, button, input, label') !== null) &&
  document.getSelection()?.type !== 'Range';
