/** A table of the emergency sheet. */
import { cx } from '../../ui/cx.ts';

interface SheetTableProps {
  title: string;
  names: readonly string[];
  /** Elements `tbody`. */
  children: React.ReactNode;
}

export function SheetTable({ title, names, children }: SheetTableProps): React.JSX.Element {
  return (
    <section aria-label={title} tabIndex={0} className="grid grid-cols-1 gap-1.5 overflow-x-auto">
      <h2 className="text-base font-semibold">{title}</h2>
      <table className="w-full border-collapse text-left text-[0.8125rem]">
        {/* Repeated on each printed page. */}
        <thead>
          <tr>
            {names.map((name) => (
              <th key={name} scope="col" className="border-b border-foreground py-1 pr-3 font-semibold">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        {children}
      </table>
    </section>
  );
}

const wraps = { anywhere: 'wrap-anywhere', names: 'min-w-24 wrap-anywhere', words: 'wrap-break-word' };

interface CellProps {
  /** `words`: for short values, whose column does not shrink below a word. `names`: the column has room for usual words. */
  wrap?: keyof typeof wraps;
  /** False if another row of the same record follows. */
  last?: boolean;
  children: React.ReactNode;
}

export const Cell = ({ wrap = 'anywhere', last = true, children }: CellProps): React.JSX.Element => (
  <td className={cx('py-1 pr-3 align-top', last && 'border-b border-border', wraps[wrap])}>
    <bdi translate="no">{children}</bdi>
  </td>
);
