/** Rows of a list too long to stand in the page as a whole: only those near the view, and on paper all there are. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, type RefObject, useEffect } from 'react';
import { Gap, rowHeight, Td } from '../../ui/table.tsx';
import { usePrinting } from '../../ui/use-printing.ts';
import { columnWidths } from './account-row.tsx';

interface LongBodyProps {
  open: boolean;
  /** Of the whole list. */
  rows: number;
  /** What scrolls. */
  frame: RefObject<HTMLElement | null>;
  /** Told which rows are in the page. Must stay the same function. */
  onShow: (first: number, last: number) => void;
  /** Its data is here. */
  isLoaded: (index: number) => boolean;
  /** With a key of its own. */
  renderRow: (index: number) => ReactNode;
}

/** Two empty rows stand for everything above and below. */
export function LongBody({ rows, frame, onShow, isLoaded, renderRow }: LongBodyProps): React.JSX.Element {
  const virtualizer = useVirtualizer({
    count: rows,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });
  const items = virtualizer.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;
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
    <tbody>
      {above > 0 && <Gap height={above} />}
      {items.map((item) => renderRow(item.index))}
      {below > 0 && <Gap height={below} />}
    </tbody>
  );
}
