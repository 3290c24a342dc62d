/** A table of columns with its states: skeleton, message or rows. Only its container scrolls horizontally. */
import type { ComponentProps, ReactNode, Ref } from 'react';
import { type Column, type ColumnOrder, SkeletonRow, type SortHandler, TableHead } from './column.tsx';
import { cx } from './cx.ts';

interface TableContainerProps extends ComponentProps<'section'> {
  /** Accessible name of the scrollable region. */
  label: string;
  /** `page`: the page scrolls vertically, and the header row sticks below the page header. */
  scrolls?: 'frame' | 'page';
  ref?: Ref<HTMLElement>;
}

const scrollStyles = {
  frame: 'overflow-auto',
  page: 'overflow-clip [&_th]:top-12 [--covered-above:6rem] [--covered-below:0.25rem]',
};

/**
 * The scrollable container of a table. Focusable, so that arrow keys scroll it. A shadow marks hidden
 * content.
 */
export function TableContainer({
  label,
  scrolls = 'frame',
  className,
  ...rest
}: TableContainerProps): React.JSX.Element {
  return (
    <section
      aria-label={label}
      tabIndex={0}
      {...rest}
      className={cx(
        'scroll-shadow @container rounded-lg border border-border bg-surface -outline-offset-2',
        scrollStyles[scrolls],
        className,
      )}
    />
  );
}

interface TableProps<Row> {
  /** Accessible name. */
  label?: string;
  columns: readonly Column<Row>[];
  busy: boolean;
  /** Number of skeleton rows to show instead of the rows; 0 for none. */
  skeletonRows: number;
  /** Shown instead of the rows, for an empty state or an error state. */
  message: ReactNode;
  /** Number of all rows, if rows have `aria-rowindex`. */
  rowCount?: number;
  order?: ColumnOrder | undefined;
  onSort?: SortHandler | undefined;
  className?: string | undefined;
  /** The `tbody`. */
  children: ReactNode;
}

export function Table<Row>(props: TableProps<Row>): React.JSX.Element {
  const { columns, rowCount, skeletonRows, message } = props;
  const hasMessage = skeletonRows === 0 && Boolean(message);
  // Only the automatic layout gives hidden columns no width if a message spans them.
  const isAutomatic = hasMessage && columns.some(({ hiddenBelow }) => hiddenBelow !== undefined);
  const isFixed = !isAutomatic && columns.some(({ width }) => width !== undefined);
  return (
    <table
      aria-label={props.label}
      aria-busy={props.busy}
      aria-rowcount={rowCount === undefined ? undefined : rowCount + 1}
      className={cx(
        'w-full border-separate border-spacing-0 text-left text-sm [&_tbody>tr:last-child>td]:border-b-0',
        isFixed && 'table-fixed',
        props.className,
      )}
    >
      <TableHead
        columns={columns}
        order={props.order}
        onSort={props.onSort}
        rowIndex={rowCount === undefined ? undefined : 1}
      />
      {skeletonRows > 0 && (
        <tbody>
          {Array.from({ length: skeletonRows }, (_, row) => (
            <SkeletonRow key={row} columns={columns} />
          ))}
        </tbody>
      )}
      {hasMessage && (
        <tbody>
          <tr data-table-message="">
            <td colSpan={columns.length} className="p-0">
              {/* As wide as the visible part of a table that is wider than the screen. */}
              <div className="sticky left-0 max-w-[100cqw]">{message}</div>
            </td>
          </tr>
        </tbody>
      )}
      {skeletonRows === 0 && !hasMessage && props.children}
    </table>
  );
}
