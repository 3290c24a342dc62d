/** The account list: skeleton, error state, empty state or rows. */
import Building2 from 'lucide-react/icons/building-complex';
import SearchX from 'lucide-react/icons/search-x';
import type { ReactNode } from 'react';
import { hasFeature } from '../../api/runtime-config.ts';
import { useIsPlatformAdmin } from '../../session/use-session.tsx';
import { Alert } from '../../ui/alert.tsx';
import { ClearFiltersButton } from '../../ui/clear-filters-button.tsx';
import type { ColumnOrder } from '../../ui/column.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { RecordTable } from '../../ui/record-table.tsx';
import { accountColumns } from './account-columns.tsx';
import { accountsText as text } from './accounts-text.ts';
import type { AccountsList } from './use-accounts-list.ts';

interface AccountsTableProps {
  list: AccountsList;
  order: ColumnOrder | undefined;
  /** Minimum number of visible rows. */
  height: number;
  openId: string | undefined;
  createdId: string | undefined;
  onOpen: (id: string) => void;
  onClearFilters: () => void;
}

export function AccountsTable({
  list,
  height,
  onClearFilters,
  ...rest
}: AccountsTableProps): React.JSX.Element {
  const hasMessage = list.error !== null || list.total === 0;
  return (
    <RecordTable
      {...rest}
      label={text.title}
      record="account"
      columns={accountColumns}
      list={list}
      loading={list.loading && list.error === null}
      busy={list.loading || list.incomplete}
      message={hasMessage && <Message list={list} onClearFilters={onClearFilters} />}
      minRows={height}
      className="min-w-[48rem]"
    />
  );
}

function Message({ list, onClearFilters }: Pick<AccountsTableProps, 'list' | 'onClearFilters'>): ReactNode {
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

/** Only our service says that a user without the role sees no accounts of others, and creates none. */
function RoleNotice(): ReactNode {
  if (useIsPlatformAdmin().state !== 'no') return null;
  return (
    <div className="max-w-sm text-start">
      <Alert title={text.noRoleTitle}>{text.noRoleDescription}</Alert>
    </div>
  );
}
