/** The rows of the account list. A long list is virtual; a print contains all loaded rows. */
import { type ReactNode, useDeferredValue, useEffect, useRef } from 'react';
import { SpacerRow, Td } from '../../ui/table.tsx';
import { useIsPrinting } from '../../ui/use-is-printing.ts';
import { useRowKeys } from '../../ui/use-row-keys.ts';
import { type RowRange, useRowsInView } from '../../ui/use-rows-in-view.ts';
import { AccountTableRow, AccountRowSkeleton, columnWidths } from './account-row.tsx';
import type { AccountsList } from './use-accounts-list.ts';

/** Maximum number of rows that are all rendered, so that the search of the browser finds every row. */
const maxPlainRows = 200;

/** A print of more rows takes the browser minutes. */
export const maxPrintedRows = 5000;

interface AccountRowsProps {
  list: AccountsList;
  /** Minimum number of visible rows, which are rendered first. */
  height: number;
  openId: string | undefined;
  createdId: string | undefined;
  onOpen: (id: string) => void;
}

/** Spacer rows replace the rows that are not rendered. */
export function AccountRows(props: AccountRowsProps): React.JSX.Element {
  const { list } = props;
  const { total, loadRange } = list;
  const body = useRef<HTMLTableSectionElement>(null);
  const range = useRenderedRange(body, total, props.height);
  useEffect(() => loadRange(range.first, range.last), [loadRange, range.first, range.last]);
  const { focused, handlers } = useRowKeys(body, total);
  const row = (index: number): ReactNode => (
    <RowAt {...props} key={list.rowAt(index)?.id ?? index} index={index} />
  );
  if (useIsPrinting()) return <PrintedRows list={list} row={row} />;
  const rows: ReactNode[] = [];
  let end = 0;
  for (const index of renderedIndexes(range, focused, total)) {
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

/**
 * Returns the rows to render. A short list is rendered in two passes: the visible rows first, then all rows.
 */
const useRenderedRange = (
  body: Parameters<typeof useRowsInView>[0],
  total: number,
  height: number,
): RowRange => {
  const inView = useRowsInView(body, total);
  const rendered = useDeferredValue(total, height + 2);
  return total > maxPlainRows
    ? inView
    : { first: 0, last: Math.min(total, Math.max(rendered, height + 2)) - 1 };
};

/** Returns the indexes of the range and of the focused row, in order. */
const renderedIndexes = (
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
  const loaded = Array.from({ length: Math.min(list.total, maxPrintedRows) }, (_, index) => index).filter(
    (index) => list.rowAt(index) !== undefined,
  );
  const missing = list.total - loaded.length;
  return (
    <tbody>
      {loaded.map(row)}
      {missing > 0 && (
        <tr>
          <Td colSpan={columnWidths.length}>{missing} more accounts are not loaded</Td>
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
      created={account.id === props.createdId}
      onOpen={props.onOpen}
    />
  );
}
