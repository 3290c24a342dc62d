/** Parts of every table: 44 px rows, one line each, sideways scrolling only inside the frame. */
import type { ComponentProps, ReactNode, Ref } from 'react';
import { cx } from './cx.ts';
import { Skeleton } from './skeleton.tsx';

/** Height of a row in px; window heights and virtual lists count with it. */
export const rowHeight = 44;

interface TableFrameProps extends ComponentProps<'section'> {
  /** Names the scrollable region for keyboard users. */
  label: string;
  ref?: Ref<HTMLElement>;
}

/** The box around a table. Focusable, because arrow keys must be able to scroll it; a shadow tells that there is more. */
export function TableContainer({ label, className, ...rest }: TableFrameProps): React.JSX.Element {
  return (
    <section
      aria-label={label}
      tabIndex={0}
      {...rest}
      className={cx(
        'scroll-shadow @container overflow-auto rounded-lg border border-border bg-surface -outline-offset-2',
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

/** A column's head; stays visible while the frame scrolls. */
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

export function Td({ className, ...rest }: ComponentProps<'td'>): React.JSX.Element {
  return <td {...rest} className={cx('h-11 max-w-0 truncate border-b border-border px-4 py-0', className)} />;
}

interface SkeletonRowsProps {
  rows: number;
  /** Width classes of the shapes, one for each column. */
  columns: readonly string[];
}

/** Rows of the same height as real ones, so that nothing moves when the data arrives. */
export function SkeletonRows({ rows, columns }: SkeletonRowsProps): React.JSX.Element {
  return (
    <>
      {Array.from({ length: rows }, (_, row) => (
        <tr key={row} data-skeleton-row="">
          {columns.map((width, column) => (
            // The columns of a skeleton never move.
            <Td key={column}>
              <Skeleton className={cx('h-3.5', width)} />
            </Td>
          ))}
        </tr>
      ))}
    </>
  );
}

/** Stands for rows that are not in the page, so that the list is as high as with them. */
export function SpacerRow({ rows }: { rows: number }): React.JSX.Element {
  return <tr aria-hidden style={{ height: rows * rowHeight }} />;
}

/** One cell over the whole width: nothing yet, nothing found, or a failure with its way out. */
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
        {/* As wide as what is in view, where the table is wider than the screen. */}
        <div className="sticky left-0 max-w-[100cqw]">{children}</div>
      </td>
    </tr>
  );
}
