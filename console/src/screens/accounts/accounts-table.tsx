/** The list itself: skeleton, failure, emptiness, or rows; long lists keep only the visible rows in the page. */
import Building2 from 'lucide-react/icons/building-complex';
import SearchX from 'lucide-react/icons/search-x';
import { type ReactNode, useDeferredValue } from 'react';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Gap, rowHeight, SkeletonRows, Table, TableFrame, TableMessage, Th } from '../../ui/table.tsx';
import { AccountRow, AccountRowOnTheWay, columnWidths } from './account-row.tsx';
import { accountsText as text } from './accounts-text.ts';
import { LongBody } from './long-body.tsx';
import type { AccountsList } from './use-accounts-list.ts';

/** Lists up to here stand in the page as a whole, so that the browser's own search finds every row. */
const longestPlainList = 300;

const headHeight = 40;

interface AccountsTableProps {
  list: AccountsList;
  /** Rows the list shows at once. */
  height: number;
  openId: string | undefined;
  freshId: string | undefined;
  onOpen: (id: string) => void;
  onClearFilters: () => void;
}

export function AccountsTable(props: AccountsTableProps): React.JSX.Element {
  const { list, height } = props;
  return (
    <TableFrame
      label={text.title}
      data-scroll-restoration-id="accounts"
      // Two px for the frame's own lines.
      style={{ maxHeight: headHeight + height * rowHeight + 2 }}
      className={cx('transition-opacity duration-100', list.outdated && 'opacity-60')}
    >
      <Table
        aria-label={text.title}
        aria-busy={list.loading || list.outdated}
        aria-rowcount={list.total + 1}
        className="min-w-[48rem] table-fixed"
      >
        <Head />
        <Body {...props} />
      </Table>
    </TableFrame>
  );
}

function Head(): React.JSX.Element {
  const { columns } = text;
  const names = [columns.name, columns.type, columns.subtype, columns.users, columns.contact];
  return (
    <thead>
      <tr aria-rowindex={1}>
        {names.map((name, index) => (
          <Th key={name} className={columnWidths[index]}>
            {name}
          </Th>
        ))}
        <Th className={columnWidths[5]}>
          <span className="sr-only">{columns.open}</span>
        </Th>
      </tr>
    </thead>
  );
}

function Body(props: AccountsTableProps): ReactNode {
  const { list, height } = props;
  if (list.loading && list.failure === null) {
    return (
      <tbody>
        <SkeletonRows rows={height} columns={['w-56', 'w-20', 'w-4', 'w-6', 'w-32', 'w-4']} />
      </tbody>
    );
  }
  if (list.failure !== null || list.total === 0) {
    return (
      <tbody>
        <TableMessage columns={columnWidths.length}>
          <Message {...props} />
        </TableMessage>
      </tbody>
    );
  }
  if (list.total <= longestPlainList) return <PlainBody {...props} rows={list.total} />;
  return (
    <LongBody
      rows={list.total}
      onShow={list.show}
      isLoaded={(index) => list.rowAt(index) !== undefined}
      renderRow={(index) => <RowAt {...props} key={list.rowAt(index)?.id ?? index} index={index} />}
    />
  );
}

function Message({ list, onClearFilters }: AccountsTableProps): React.JSX.Element {
  if (list.failure !== null)
    return <ErrorState title={text.loadFailed} onRetry={list.retry} retrying={list.busy} />;
  if (list.empty)
    return <EmptyState icon={<Building2 />} title={text.emptyTitle} description={text.emptyDescription} />;
  const clear = (
    <Button variant="outline" size="sm" onClick={onClearFilters}>
      {text.clearFilters}
    </Button>
  );
  return <EmptyState icon={<SearchX />} title={text.noMatch} action={clear} />;
}

function RowAt({ index, ...props }: AccountsTableProps & { index: number }): React.JSX.Element {
  const account = props.list.rowAt(index);
  if (account === undefined) return <AccountRowOnTheWay index={index} />;
  return (
    <AccountRow
      account={account}
      index={index}
      open={account.id === props.openId}
      fresh={account.id === props.freshId}
      onOpen={props.onOpen}
    />
  );
}

/** What is in view comes first, so that it shows and answers keys sooner; the rest follows below at once. */
function PlainBody({ rows, ...props }: AccountsTableProps & { rows: number }): React.JSX.Element {
  const inView = Math.min(rows, props.height + 2);
  const drawn = Math.min(rows, Math.max(inView, useDeferredValue(rows, inView)));
  return (
    <tbody>
      {Array.from({ length: drawn }, (_, index) => (
        <RowAt {...props} key={props.list.rowAt(index)?.id ?? index} index={index} />
      ))}
      {drawn < rows && <Gap height={(rows - drawn) * rowHeight} />}
    </tbody>
  );
}
