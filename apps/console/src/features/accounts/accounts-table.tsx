/** The account list with its states, and its footer: the number of visible rows, and a static page text. */
import Building2 from 'lucide-react/icons/building-complex';
import SearchX from 'lucide-react/icons/search-x';
import { type ReactNode, useId } from 'react';
import { hasFeature } from '../../api/runtime-config.ts';
import { useIsAdministrator } from '../../session/use-session.tsx';
import { Alert } from '../../ui/alert.tsx';
import { ClearFiltersButton } from '../../ui/clear-filters-button.tsx';
import type { ColumnOrder, SortHandler } from '../../ui/column.tsx';
import { cx } from '../../ui/cx.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { RecordTable } from '../../ui/record-table.tsx';
import { Select } from '../../ui/select.tsx';
import { accountColumns } from './account-columns.tsx';
import { type RowsPerPage, rowsPerPageOptions } from './accounts-search-params.ts';
import { accountListText as text } from './account-list-text.ts';
import type { AccountsList } from './use-accounts-list.ts';
import { WideSearchOffer } from './wide-search.tsx';

interface AccountsTableProps {
  list: AccountsList;
  order: ColumnOrder | undefined;
  onSort: SortHandler;
  /** Minimum number of visible rows. */
  minRows: number;
  openId: string | undefined;
  createdId: string | undefined;
  onOpen: (id: string) => void;
  /** Shown if there is no account yet. */
  createButton: ReactNode;
  onClearFilters: () => void;
  /** Null if the search cannot find more. */
  onSearchWide: (() => void) | null;
}

export function AccountsTable({
  list,
  minRows,
  createButton,
  onClearFilters,
  onSearchWide,
  ...rest
}: AccountsTableProps): React.JSX.Element {
  const hasMessage = list.error !== null || list.total === 0;
  const offer = onSearchWide !== null && <WideSearchOffer onPress={onSearchWide} />;
  return (
    <RecordTable
      {...rest}
      label={text.title}
      record="account"
      columns={accountColumns}
      list={list}
      loading={list.loading && list.error === null}
      busy={list.loading || list.incomplete}
      message={
        hasMessage && (
          <Message list={list} createButton={createButton} onClearFilters={onClearFilters} offer={offer} />
        )
      }
      after={!hasMessage && offer !== false ? <div className="p-4 text-center">{offer}</div> : undefined}
      minRows={minRows}
    />
  );
}

interface MessageProps extends Pick<AccountsTableProps, 'list' | 'createButton' | 'onClearFilters'> {
  offer: ReactNode;
}

function Message({ list, createButton, onClearFilters, offer }: MessageProps): ReactNode {
  if (list.error !== null)
    return <ErrorState title={text.loadFailed} onRetry={list.retry} retrying={list.busy} />;
  if (list.empty) {
    return (
      <EmptyState
        icon={<Building2 />}
        title={text.emptyTitle}
        description={text.emptyDescription}
        action={<EmptyAction createButton={createButton} />}
      />
    );
  }
  const actions = (
    <div className="flex flex-wrap justify-center gap-2">
      {offer}
      <ClearFiltersButton onClear={onClearFilters} />
    </div>
  );
  return <EmptyState icon={<SearchX />} title={text.noMatch} action={actions} />;
}

/** The next step; for a user without the administrator role the reason why the list is empty. */
function EmptyAction({ createButton }: Pick<AccountsTableProps, 'createButton'>): ReactNode {
  const { state } = useIsAdministrator();
  // Other backends can let users without the role see and create accounts.
  if (state === 'yes' || !hasFeature('extensions')) return createButton;
  if (state === 'unknown') return null;
  return (
    <div className="max-w-sm text-start">
      <Alert title={text.noRoleTitle}>{text.noRoleDescription}</Alert>
    </div>
  );
}

interface AccountsFooterProps {
  rowsPerPage: RowsPerPage;
  onRowsPerPageChange: (rows: RowsPerPage) => void;
  /** Number of matching accounts; undefined until known. */
  total: number | undefined;
}

/** The list has no pages. The selection sets the minimum number of visible rows. */
export function AccountsFooter({
  rowsPerPage,
  onRowsPerPageChange,
  total,
}: AccountsFooterProps): React.JSX.Element {
  const id = useId();
  return (
    <div
      // Sticky at the bottom of the window if the page scrolls.
      className={cx(
        'flex flex-wrap items-center justify-between gap-2 text-xs text-muted sm:text-sm',
        'peer-data-page-scrolls:sticky peer-data-page-scrolls:bottom-0 peer-data-page-scrolls:z-20 print:static!',
        // Keeps the height of the page. A different height would switch between the two scroll modes
        // endlessly.
        'peer-data-page-scrolls:-my-3 peer-data-page-scrolls:bg-background peer-data-page-scrolls:py-3',
        'peer-data-page-scrolls:shadow-[0_-1px_var(--border)]',
      )}
    >
      <div className="flex items-center gap-2 print:hidden">
        <label htmlFor={id}>{text.rowsPerPage}</label>
        <Select
          id={id}
          options={rowsPerPageOptions.map((each) => ({ value: String(each), label: String(each) }))}
          value={String(rowsPerPage)}
          onChange={(event) => {
            const selected = rowsPerPageOptions.find((each) => String(each) === event.target.value);
            if (selected !== undefined) onRowsPerPageChange(selected);
          }}
          boxClassName="w-20"
        />
      </div>
      <p aria-live="polite">{total === undefined ? '' : text.page(total)}</p>
    </div>
  );
}
