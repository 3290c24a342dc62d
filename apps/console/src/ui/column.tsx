/** The column model of all tables: a column is stated once, and rendered as header, cell, skeleton and second line. */
import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import { Skeleton } from './skeleton.tsx';

/** Width of the container of the table. */
type Breakpoint = keyof typeof breakpoints;

interface ColumnFrame<Row> {
  /** Unique in the table. */
  readonly key: string;
  readonly header: string;
  /** Shown instead of the header, which then is only the accessible name. */
  readonly headerContent?: ReactNode;
  /** Width class. A table without widths is as wide as its content. */
  readonly width?: string;
  /** Classes of the header, the cells and the skeleton. */
  readonly className?: string;
  /** Width class of the skeleton. */
  readonly skeleton?: string;
  /** Name of the order by this column, as in the URL. */
  readonly sort?: string;
  /** `false`: not in a print. */
  readonly print?: boolean;
  readonly hiddenBelow?: Breakpoint;
  /** Shown below the content of the main column while this column is hidden. */
  readonly secondLine?: (row: Row) => ReactNode;
  /** The column that identifies the row, and shows the second lines. */
  readonly main?: boolean;
}

/** `text` is user input: isolated from the text direction of the page, not translated, and complete in its tooltip. */
type ColumnContent<Row> =
  | { readonly cell: (row: Row, open: () => void) => ReactNode; readonly text?: never }
  | { readonly text: (row: Row) => string; readonly cell?: never };

export type Column<Row> = ColumnFrame<Row> & ColumnContent<Row>;

export interface ColumnOrder {
  readonly sort: string;
  readonly direction: 'asc' | 'desc';
}

/** In descending order. The classes are literals, because Tailwind finds them in the source. */
const breakpoints = {
  '58rem': {
    hidden: '@max-[58rem]:hidden',
    secondLine: '@min-[58rem]:hidden',
    mainCell: '@max-[58rem]:py-2 @max-[58rem]:whitespace-normal',
  },
  '38rem': {
    hidden: '@max-[38rem]:hidden',
    secondLine: '@min-[38rem]:hidden',
    mainCell: '@max-[38rem]:py-2 @max-[38rem]:whitespace-normal',
  },
};

const columnStyle = <Row,>({ className, print, hiddenBelow }: Column<Row>): string =>
  cx(className, print === false && 'print:hidden', hiddenBelow && breakpoints[hiddenBelow].hidden);

const cellStyle = 'h-11 in-data-compact:h-8 truncate border-b border-border px-4 py-0';

interface TableHeadProps<Row> {
  columns: readonly Column<Row>[];
  order?: ColumnOrder | undefined;
  /** Index of the row among all rows of the table, if they have indexes. */
  rowIndex?: number | undefined;
}

/** Stays visible while the container scrolls. */
export function TableHead<Row>({ columns, order, rowIndex }: TableHeadProps<Row>): React.JSX.Element {
  const direction = order?.direction === 'desc' ? 'descending' : 'ascending';
  return (
    <thead>
      <tr aria-rowindex={rowIndex}>
        {columns.map((column) => (
          <th
            key={column.key}
            scope="col"
            aria-label={column.headerContent === undefined ? undefined : column.header}
            aria-sort={column.sort !== undefined && column.sort === order?.sort ? direction : undefined}
            className={cx(
              'sticky top-0 z-10 h-10 border-b border-border bg-subtle px-4 text-xs font-semibold whitespace-nowrap text-muted',
              column.width,
              columnStyle(column),
            )}
          >
            {column.headerContent ?? column.header}
          </th>
        ))}
      </tr>
    </thead>
  );
}

interface CellsProps<Row> {
  columns: readonly Column<Row>[];
  row: Row;
  /** True if all rows have one height: the second lines are then one line. */
  oneHeight?: boolean | undefined;
  onOpen?: () => void;
}

/** The cells of a row, without the row. */
export function Cells<Row>({ columns, row, oneHeight, onOpen }: CellsProps<Row>): ReactNode {
  const isAsWideAsContent = columns.every(({ width }) => width === undefined);
  return columns.map((column) => {
    const text = column.text?.(row);
    return (
      <td
        key={column.key}
        dir={text === undefined ? undefined : 'auto'}
        translate={text === undefined ? undefined : 'no'}
        title={text}
        className={cx(
          cellStyle,
          isAsWideAsContent && 'max-w-60',
          columnStyle(column),
          column.main && oneHeight !== true && mainCellStyle(columns),
        )}
      >
        {text ?? column.cell?.(row, onOpen ?? noop)}
        {column.main && <SecondLines columns={columns} row={row} oneHeight={oneHeight} />}
      </td>
    );
  });
}

const noop = (): void => {};

const mainCellStyle = <Row,>(columns: readonly Column<Row>[]): string | undefined => {
  const used = columns.filter(({ secondLine }) => secondLine !== undefined).map((each) => each.hiddenBelow);
  const widest = (Object.keys(breakpoints) as Breakpoint[]).find((each) => used.includes(each));
  return widest && breakpoints[widest].mainCell;
};

function SecondLines<Row>({ columns, row, oneHeight }: CellsProps<Row>): ReactNode {
  const hidden = columns.filter(({ secondLine }) => secondLine !== undefined);
  if (hidden.length === 0) return null;
  return (
    <div
      className={cx(
        'text-xs text-muted',
        oneHeight ? 'flex gap-2 truncate' : 'grid justify-items-start gap-1.5',
      )}
    >
      {hidden.map(({ key, hiddenBelow, secondLine }) => (
        <div key={key} className={cx('max-w-full', hiddenBelow && breakpoints[hiddenBelow].secondLine)}>
          {secondLine?.(row)}
        </div>
      ))}
    </div>
  );
}

interface SkeletonRowProps<Row> {
  columns: readonly Column<Row>[];
  rowIndex?: number | undefined;
}

/** Has the height of a row, so that the layout does not shift when the row has loaded. */
export function SkeletonRow<Row>({ columns, rowIndex }: SkeletonRowProps<Row>): React.JSX.Element {
  return (
    <tr aria-rowindex={rowIndex} data-skeleton-row="">
      {columns.map((column) => (
        <td key={column.key} className={cx(cellStyle, columnStyle(column))}>
          <Skeleton className={cx('h-3.5 max-w-full', column.skeleton ?? 'w-24')} />
        </td>
      ))}
    </tr>
  );
}
