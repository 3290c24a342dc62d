/** The column model of all tables: one definition renders the header, the cells, the skeleton and the second line. */
import ArrowDown from 'lucide-react/icons/arrow-down';
import ArrowUp from 'lucide-react/icons/arrow-up';
import ChevronsUpDown from 'lucide-react/icons/chevrons-up-down';
import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import { Skeleton } from './skeleton.tsx';

/** Width of the container of the table. */
type Breakpoint = keyof typeof breakpoints;

interface ColumnFrame {
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
  /** The column that identifies the row, and shows the second lines. */
  readonly main?: boolean;
}

type ColumnVisibility<Row> =
  | {
      readonly hiddenBelow: Breakpoint;
      /** Shown below the content of the main column while this column is hidden. */
      readonly secondLine?: (row: Row) => ReactNode;
    }
  | { readonly hiddenBelow?: never; readonly secondLine?: never };

/** `text` is user input: isolated from the text direction of the page, not translated, and complete in its tooltip. */
type ColumnContent<Row> =
  | { readonly cell: (row: Row, open: () => void) => ReactNode; readonly text?: never }
  | { readonly text: (row: Row) => string; readonly cell?: never };

export type Column<Row> = ColumnFrame & ColumnVisibility<Row> & ColumnContent<Row>;

export interface ColumnOrder {
  readonly sort: string;
  readonly direction: 'asc' | 'desc';
}

/** Undefined: the order of the list without a choice. */
export type SortHandler = (order: ColumnOrder | undefined) => void;

/** In descending order. The classes are literals, because Tailwind finds them in the source. */
const breakpoints = {
  '58rem': {
    hidden: '@max-[58rem]:hidden',
    secondLine: '@min-[58rem]:hidden',
    mainCell: '@max-[58rem]:py-2 @max-[58rem]:whitespace-normal',
  },
  '48rem': {
    hidden: 'not-print:@max-[48rem]:hidden',
    secondLine: '@min-[48rem]:hidden',
    // Cards of one height, for a virtual list. The heights are those of row-height.ts.
    mainCell: '@max-[48rem]:h-15 @max-[48rem]:in-data-compact:h-10',
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
  /** Sorts by a column that has `sort`. Without it, the header is text. */
  onSort?: SortHandler | undefined;
  /** Index of the row among all rows of the table, if they have indexes. */
  rowIndex?: number | undefined;
}

/** Stays visible while the container scrolls. */
export function TableHead<Row>({ columns, order, onSort, rowIndex }: TableHeadProps<Row>): React.JSX.Element {
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
            {column.sort === undefined || onSort === undefined ? (
              (column.headerContent ?? column.header)
            ) : (
              <SortButton header={column.header} sort={column.sort} order={order} onSort={onSort} />
            )}
          </th>
        ))}
      </tr>
    </thead>
  );
}

interface SortButtonProps {
  header: string;
  sort: string;
  order: ColumnOrder | undefined;
  onSort: SortHandler;
}

/** Sorts in ascending order, then in descending order, then as without a choice. */
function SortButton({ header, sort, order, onSort }: SortButtonProps): React.JSX.Element {
  const direction = order?.sort === sort ? order.direction : undefined;
  const Icon = { asc: ArrowUp, desc: ArrowDown, none: ChevronsUpDown }[direction ?? 'none'];
  const next = { none: 'asc', asc: 'desc', desc: undefined }[direction ?? 'none'] as
    | ColumnOrder['direction']
    | undefined;
  return (
    <button
      type="button"
      onClick={() => onSort(next && { sort, direction: next })}
      className="-mx-1 inline-flex h-8 cursor-pointer items-center gap-1 rounded-sm px-1 hover:text-foreground print:pointer-events-none"
    >
      {header}
      <Icon
        aria-hidden
        className={cx('size-3 shrink-0 print:hidden', direction === undefined && 'opacity-60')}
      />
    </button>
  );
}

interface RowCellsProps<Row> {
  columns: readonly Column<Row>[];
  row: Row;
  onOpen?: () => void;
}

/** The cells of a row, without the row. */
export function RowCells<Row>({ columns, row, onOpen }: RowCellsProps<Row>): ReactNode {
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
          column.main && mainCellStyle(columns),
        )}
      >
        {text ?? column.cell?.(row, onOpen ?? noop)}
        {column.main && <SecondLines columns={columns} render={({ secondLine }) => secondLine(row)} />}
      </td>
    );
  });
}

const noop = (): void => {};

interface SecondLine<Row> {
  readonly key: string;
  readonly hiddenBelow: Breakpoint;
  readonly secondLine: (row: Row) => ReactNode;
}

const listSecondLines = <Row,>(columns: readonly Column<Row>[]): readonly SecondLine<Row>[] =>
  columns.flatMap(({ key, hiddenBelow, secondLine }) =>
    hiddenBelow === undefined || secondLine === undefined ? [] : [{ key, hiddenBelow, secondLine }],
  );

const mainCellStyle = <Row,>(columns: readonly Column<Row>[]): string | undefined => {
  const used = columns.map(({ hiddenBelow }) => hiddenBelow);
  const widest = (Object.keys(breakpoints) as Breakpoint[]).find((breakpoint) => used.includes(breakpoint));
  return widest && breakpoints[widest].mainCell;
};

interface SecondLinesProps<Row> {
  columns: readonly Column<Row>[];
  render: (line: SecondLine<Row>) => ReactNode;
}

function SecondLines<Row>({ columns, render }: SecondLinesProps<Row>): ReactNode {
  const lines = listSecondLines(columns);
  if (lines.length === 0) return null;
  return (
    <div className="grid justify-items-start gap-1.5 text-xs text-muted">
      {lines.map((line) => (
        <div key={line.key} className={cx('max-w-full', breakpoints[line.hiddenBelow].secondLine)}>
          {render(line)}
        </div>
      ))}
    </div>
  );
}

interface SkeletonRowProps<Row> {
  columns: readonly Column<Row>[];
  rowIndex?: number | undefined;
}

/**
 * Has the height of a row in which each second line is one line of text, so that the layout does not shift when the row has
 * loaded.
 */
export function SkeletonRow<Row>({ columns, rowIndex }: SkeletonRowProps<Row>): React.JSX.Element {
  return (
    <tr aria-rowindex={rowIndex} data-skeleton-row="">
      {columns.map((column) => (
        <td
          key={column.key}
          className={cx(cellStyle, columnStyle(column), column.main && mainCellStyle(columns))}
        >
          <Skeleton className={cx('h-3.5 max-w-full', column.main && 'my-1.25', column.skeleton ?? 'w-24')} />
          {column.main && (
            <SecondLines
              columns={columns}
              render={() => <Skeleton className="my-0.5 h-3 w-24 max-w-full" />}
            />
          )}
        </td>
      ))}
    </tr>
  );
}
