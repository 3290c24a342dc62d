/** The rows of the list: of a long one only those near the view, on paper all that are loaded. */
import { type ReactNode, useDeferredValue, useEffect, useRef } from 'react';
import { SpacerRow, Td } from '../../ui/table.tsx';
import { useIsPrinting } from '../../ui/use-is-printing.ts';
import { useRowKeys } from '../../ui/use-row-keys.ts';
import { type RowRange, useRowsInView } from '../../ui/use-rows-in-view.ts';
import { AccountTableRow, AccountRowSkeleton, columnWidths } from './account-row.tsx';
import type { AccountsList } from './use-accounts-list.ts';

/** Lists up to here stand in the page as a whole, so that the browser's own search finds every row. */
const maxPlainRows = 200;

interface AccountRowsProps {
  list: AccountsList;
  /** Rows that are certainly in view; they are drawn first. */
  height: number;
  openId: string | undefined;
  freshId: string | undefined;
  onOpen: (id: string) => void;
}

/** Empty rows stand for those that are left out. */
export function AccountRows(props: AccountRowsProps): React.JSX.Element {
  const { list } = props;
  const { total, show } = list;
  const body = useRef<HTMLTableSectionElement>(null);
  const range = useRange(body, total, props.height);
  useEffect(() => show(range.first, range.last), [show, range.first, range.last]);
  const { focused, handlers } = useRowKeys(body, total);
  const row = (index: number): ReactNode => (
    <RowAt {...props} key={list.rowAt(index)?.id ?? index} index={index} />
  );
  if (useIsPrinting()) return <PrintedRows list={list} row={row} />;
  const rows: ReactNode[] = [];
  let end = 0;
  for (const index of indexes(range, focused, total)) {
    if (index > end) rows.push(<SpacerRow key={`before ${index}`} rows={index - end} />);
    rows.push(row(index));
    end = index + 1;
  }
  if (end < total) rows.push(<SpacerRow key="after" rows={total - end} />);
  return (
    <tbody ref={body} {...handlers}>
      {rows}
    </tbody>
  );
}

/** Of a list that stands in the page as a whole, what is in view is drawn first and the rest in the next render. */
const useRange = (body: Parameters<typeof useRowsInView>[0], total: number, height: number): RowRange => {
  const inView = useRowsInView(body, total);
  const drawn = useDeferredValue(total, height + 2);
  return total > maxPlainRows ? inView : { first: 0, last: Math.min(total, Math.max(drawn, height + 2)) - 1 };
};

/** The rows of the range in order, and the one that has the focus. */
const indexes = (
  { first, last }: RowRange,
  focused: number | undefined,
  total: number,
): readonly number[] => {
  const range = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  if (focused === undefined || focused < 0 || focused >= total) return range;
  if (focused < first) return [focused, ...range];
  return focused > last ? [...range, focused] : range;
};

function PrintedRows({ list, row }: { list: AccountsList; row: (index: number) => ReactNode }): ReactNode {
  const loaded = Array.from({ length: list.total }, (_, index) => index).filter(
    (index) => list.rowAt(index) !== undefined,
  );
  const missing = list.total - loaded.length;
  return (
    <tbody>
      {loaded.map(row)}
      {missing > 0 && (
        <tr>
          <Td colSpan={columnWidths.length}>And {missing} more, which are not loaded</Td>
        </tr>
      )}
    </tbody>
  );
}

function RowAt({ index, ...props }: AccountRowsProps & { index: number }): React.JSX.Element {
  const account = props.list.rowAt(index);
  if (account === undefined) return <AccountRowSkeleton index={index} />;
  return (
    <AccountTableRow
      account={account}
      index={index}
      open={account.id === props.openId}
      fresh={account.id === props.freshId}
      onOpen={props.onOpen}
    />
  );
}
