/** Table components: single-line rows of one height, and horizontal scrolling inside the container only. */
import type { ComponentProps, ReactNode, Ref } from 'react';
import { cx } from './cx.ts';
import { rowHeight } from './row-height.ts';
import { Skeleton } from './skeleton.tsx';

interface TableContainerProps extends ComponentProps<'section'> {
  /** Accessible name of the scrollable region. */
  label: string;
  /** `page`: the page scrolls instead of the container, and the header row sticks below the page header. */
  scrolls?: 'frame' | 'page';
  ref?: Ref<HTMLElement>;
}

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
        scrolls === 'page' ? 'overflow-clip [&_th]:top-12' : 'overflow-auto',
        className,
      )}
    />
  );
}

export function Table({ className, ...rest }: ComponentProps<'table'>): React.JSX.Element {
  return (
    <table
      {...rest}
      className={cx(
        'w-full border-separate border-spacing-0 text-left text-sm [&_tbody>tr:last-child>td]:border-b-0',
        className,
      )}
    />
  );
}

/** A column header, which stays visible while the container scrolls. */
export function Th({ className, ...rest }: ComponentProps<'th'>): React.JSX.Element {
  return (
    <th
      scope="col"
      {...rest}
      className={cx(
        'sticky top-0 z-10 h-10 border-b border-border bg-subtle px-4 text-xs font-semibold whitespace-nowrap text-muted',
        className,
      )}
    />
  );
}

interface TdProps extends ComponentProps<'td'> {
  /** `content`: as wide as its text, up to a limit. `action`: for one icon button. */
  fit?: 'column' | 'content' | 'action';
}

const cellFits = { column: 'max-w-0 px-4', content: 'max-w-60 px-4', action: 'max-w-0 px-2 text-right' };

export function Td({ fit = 'column', className, ...rest }: TdProps): React.JSX.Element {
  return (
    <td
      {...rest}
      className={cx(
        'h-11 in-data-compact:h-8 truncate border-b border-border py-0',
        cellFits[fit],
        className,
      )}
    />
  );
}

interface SkeletonRowsProps {
  rows: number;
  /** Width class of the placeholder of each column. */
  columns: readonly string[];
}

/** Skeleton rows with the height of data rows, so that the layout does not shift when the data has loaded. */
export function SkeletonRows({ rows, columns }: SkeletonRowsProps): React.JSX.Element {
  return (
    <>
      {Array.from({ length: rows }, (_, row) => (
        <tr key={row} data-skeleton-row="">
          {columns.map((width, column) => (
            // The index is a stable key, because the columns are constant.
            <Td key={column}>
              <Skeleton className={cx('h-3.5 max-w-full', width)} />
            </Td>
          ))}
        </tr>
      ))}
    </>
  );
}

/** A row with the height of the rows that the virtual list does not render. */
export function SpacerRow({ rows }: { rows: number }): React.JSX.Element {
  return <tr aria-hidden style={{ height: rows * rowHeight() }} />;
}

/** One cell over the full width, for an empty state or an error state. */
export function TableMessage({
  columns,
  children,
}: {
  columns: number;
  children: ReactNode;
}): React.JSX.Element {
  return (
    <tr data-table-message="">
      <td colSpan={columns} className="p-0">
        {/* As wide as the visible part of a table that is wider than the screen. */}
        <div className="sticky left-0 max-w-[100cqw]">{children}</div>
      </td>
    </tr>
  );
}
