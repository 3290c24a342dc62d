/** Rows of a list too long to stand in the page as a whole: only those near the view, and on paper all there are. */
import { type ReactNode, useEffect, useRef } from 'react';
import { Gap, rowHeight, Td } from '../../ui/table.tsx';
import { usePrinting } from '../../ui/use-printing.ts';
import { useRowsInView } from '../../ui/use-rows-in-view.ts';
import { columnWidths } from './account-row.tsx';

interface LongBodyProps {
  /** Of the whole list. */
  rows: number;
  /** Told which rows are in the page. Must stay the same function. */
  onShow: (first: number, last: number) => void;
  /** Its data is here. */
  isLoaded: (index: number) => boolean;
  /** With a key of its own. */
  renderRow: (index: number) => ReactNode;
}

/** Two empty rows stand for everything above and below. */
export function LongBody({ rows, onShow, isLoaded, renderRow }: LongBodyProps): React.JSX.Element {
  const body = useRef<HTMLTableSectionElement>(null);
  const { first, last } = useRowsInView(body, rows);
  useEffect(() => onShow(first, last), [onShow, first, last]);
  if (usePrinting()) {
    const loaded = Array.from({ length: rows }, (_, index) => index).filter(isLoaded);
    return (
      <tbody>
        {loaded.map(renderRow)}
        {loaded.length < rows && (
          <tr>
            <Td colSpan={columnWidths.length}>And {rows - loaded.length} more, which are not loaded</Td>
          </tr>
        )}
      </tbody>
    );
  }
  const above = first * rowHeight;
  const below = Math.max(0, rows - 1 - last) * rowHeight;
  return (
    <tbody ref={body}>
      {above > 0 && <Gap height={above} />}
      {Array.from({ length: last - first + 1 }, (_, index) => renderRow(first + index))}
      {below > 0 && <Gap height={below} />}
    </tbody>
  );
}
