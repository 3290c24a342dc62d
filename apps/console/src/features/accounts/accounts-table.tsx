/** The account list: skeleton, error state, empty state or rows. */
import Building2 from 'lucide-react/icons/building-complex';
import SearchX from 'lucide-react/icons/search-x';
import { type ReactNode, useRef } from 'react';
import { Alert } from '../../ui/alert.tsx';
import { ClearFiltersButton } from '../../ui/clear-filters-button.tsx';
import { cx } from '../../ui/cx.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { hasFeature } from '../../api/runtime-config.ts';
import { useIsPlatformAdmin } from '../../session/use-session.tsx';
import { useRowHeight } from '../../ui/row-height.ts';
import { useFitsWindow } from '../../ui/use-fits-window.ts';
import { SkeletonRows, Table, TableContainer, TableMessage, Th } from '../../ui/table.tsx';
import { columnWidths } from './account-row.tsx';
import { AccountRows } from './account-rows.tsx';
import { accountsText as text } from './accounts-text.ts';
import type { AccountsList } from './use-accounts-list.ts';

const headerHeight = 40;

interface AccountsTableProps {
  list: AccountsList;
  /** Minimum number of visible rows. */
  height: number;
  openId: string | undefined;
  createdId: string | undefined;
  onOpen: (id: string) => void;
  onClearFilters: () => void;
}

/** Takes the remaining height of the window, but at least the height of `height` rows. */
export function AccountsTable(props: AccountsTableProps): React.JSX.Element {
  const { list, height } = props;
  const container = useRef<HTMLElement>(null);
  // 2 px for the borders.
  const minHeight = headerHeight + height * useRowHeight() + 2;
  const fits = useFitsWindow(container, minHeight);
  return (
    <TableContainer
      ref={container}
      label={text.title}
      data-scroll-restoration-id="accounts"
      data-page-scrolls={fits ? undefined : ''}
      style={{ minHeight: `calc(${minHeight}px - var(--toaster-room, 0px))` }}
      className={cx(
        'peer grow has-[[data-table-message]]:grid',
        fits
          ? 'scroll-bars basis-0 overflow-x-auto overflow-y-scroll [--covered-above:3rem] [--covered-below:0.25rem]'
          : // The page scrolls. The header row sticks below the page header if the table fits the screen width.
            'overflow-x-auto [--covered-above:6rem] [--covered-below:4.5rem] @3xl/screen:overflow-clip @3xl/screen:[&_th]:top-12',
      )}
    >
      <Table
        aria-label={text.title}
        aria-busy={list.loading || list.incomplete}
        aria-rowcount={list.total + 1}
        className="min-w-[48rem] table-fixed"
      >
        <TableHeader />
        <TableBody {...props} />
      </Table>
    </TableContainer>
  );
}

function TableHeader(): React.JSX.Element {
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

function TableBody(props: AccountsTableProps): ReactNode {
  const { list, height } = props;
  if (list.loading && list.error === null) {
    return (
      <tbody>
        <SkeletonRows rows={height} columns={['w-56', 'w-20', 'w-4', 'w-6', 'w-32', 'w-4']} />
      </tbody>
    );
  }
  if (list.error !== null || list.total === 0) {
    return (
      <tbody>
        <TableMessage columns={columnWidths.length}>
          <Message {...props} />
        </TableMessage>
      </tbody>
    );
  }
  return <AccountRows {...props} />;
}

/** Only our service says that a user without the role sees no accounts of others, and creates none. */
function RoleNotice(): ReactNode {
  if (useIsPlatformAdmin().state !== 'no') return null;
  return (
    <div className="max-w-sm text-start">
      <Alert title={text.noRoleTitle}>{text.noRoleDescription}</Alert>
    </div>
  );
}

function Message({ list, onClearFilters }: AccountsTableProps): ReactNode {
  if (list.error !== null)
    return <ErrorState title={text.loadFailed} onRetry={list.retry} retrying={list.busy} />;
  if (list.empty) {
    return (
      <EmptyState
        icon={<Building2 />}
        title={text.emptyTitle}
        description={text.emptyDescription}
        action={hasFeature('administrators-only') && <RoleNotice />}
      />
    );
  }
  const clear = <ClearFiltersButton onClear={onClearFilters} />;
  return <EmptyState icon={<SearchX />} title={text.noMatch} action={clear} />;
}
