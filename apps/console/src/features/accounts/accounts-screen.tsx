/** The Accounts screen: list, search, open and create customer accounts. */
import { tryParseOrder } from '@lanternrock/contract/account-view';
import Plus from 'lucide-react/icons/plus';
import { type RefObject, useCallback, useDeferredValue, useMemo, useRef } from 'react';
import { errorMessage } from '../../api/errors.ts';
import { useUrlState } from '../../shared/url-state.ts';
import { Button } from '../../ui/button.tsx';
import { lazyOverlay } from '../../ui/lazy-overlay.tsx';
import { ScreenHeader } from '../../ui/screen-header.tsx';
import { useErrorToast } from '../../ui/use-error-toast.ts';
import { useDebouncedSearchText } from '../../ui/use-debounced-search-text.ts';
import { accountFilter } from './account-filter.ts';
import { AccountsFooter } from './accounts-footer.tsx';
import {
  type AccountsSearchParams,
  accountsSearchParams,
  defaultRowsPerPage,
} from './accounts-search-params.ts';
import { AccountsTable } from './accounts-table.tsx';
import { AccountsToolbar } from './accounts-toolbar.tsx';
import { accountsText as text } from './accounts-text.ts';
import { ViewButton } from './view-button.tsx';
import { useAccountsList } from './use-accounts-list.ts';
import { useCreatedAccount } from './use-created-account.ts';

// The dialog and panel load on demand, to keep the initial bundle small.
const NewAccountDialog = lazyOverlay(async () => (await import('./new-account-dialog.tsx')).NewAccountDialog);
const AccountPanel = lazyOverlay(async () => (await import('./account-panel.tsx')).AccountPanel);

export function AccountsScreen(): React.JSX.Element {
  const { search, change } = useUrlState('/admin/accounts', accountsSearchParams);
  const [searchText, setSearchText] = useDebouncedSearchText(search.q ?? '', (q) =>
    change({ q }, { replace: true }),
  );
  // The search box updates first. The list follows in a low-priority render that the next keystroke can
  // interrupt.
  const deferredText = useDeferredValue(searchText);
  const { q, type, status, sort } = search;
  const filter = useMemo(
    () => accountFilter(deferredText, type, { status, sort }),
    [deferredText, type, status, sort],
  );
  const debouncedFilter = useMemo(() => accountFilter(q, type, { status, sort }), [q, type, status, sort]);
  const list = useAccountsList(filter, debouncedFilter);
  const created = useCreatedAccount(list.newest);
  const height = search.rows ?? defaultRowsPerPage;
  const open = useCallback((account: string) => change({ account }), [change]);
  const changeList = (next: AccountsSearchParams): void => {
    scrollToFirstRow();
    change(next);
  };
  const addButton = useRef<HTMLButtonElement>(null);
  useErrorToast({ error: list.latestError, failedAt: list.failedAt }, (error) => ({
    action: 'fetch-accounts',
    title: text.fetchFailed,
    description: errorMessage(error),
    variant: 'destructive',
  }));
  return (
    <div className="@container/screen flex grow flex-col gap-4">
      <ScreenHeader
        title={text.title}
        action={<AddButton ref={addButton} onPress={() => change({ new: true })} />}
      />
      <AccountsToolbar
        search={searchText}
        onSearchChange={(next) => {
          scrollToFirstRow();
          setSearchText(next);
        }}
        type={type}
        onTypeChange={(next) => changeList({ type: next })}
      >
        <ViewButton
          filter={debouncedFilter}
          onChange={changeList}
          total={list.total}
          complete={list.allRows !== undefined}
        />
      </AccountsToolbar>
      <AccountsTable
        list={list}
        order={tryParseOrder(sort ?? '')}
        height={height}
        openId={search.account}
        createdId={created.id}
        onOpen={open}
        onClearFilters={() => {
          setSearchText('');
          change({ q: undefined, type: undefined, status: undefined });
        }}
      />
      <AccountsFooter
        height={height}
        onHeightChange={(rows) => change({ rows }, { replace: true })}
        total={list.loading || list.incomplete || list.error !== null ? undefined : list.total}
      />
      <AccountPanel
        open={search.account !== undefined}
        id={search.account}
        account={search.account === undefined ? undefined : list.find(search.account)}
        listLoaded={!list.loading}
        list={list}
        onMove={(account) => change({ account }, { replace: true })}
        onClose={() => change({ account: undefined })}
      />
      <NewAccountDialog
        open={search.new === true}
        rows={list.allRows}
        returnFocus={addButton}
        onCreated={created.expect}
        onClose={(confirmed) => change({ new: undefined }, { confirmed })}
      />
    </div>
  );
}

/** The same position in another search, filter or order is arbitrary. */
const scrollToFirstRow = (): void =>
  document.querySelector('[data-scroll-restoration-id="accounts"]')?.scrollTo(0, 0);

interface AddButtonProps {
  ref: RefObject<HTMLButtonElement | null>;
  onPress: () => void;
}

function AddButton({ ref, onPress }: AddButtonProps): React.JSX.Element {
  return (
    <Button
      ref={ref}
      onClick={onPress}
      onPointerEnter={NewAccountDialog.preload}
      onFocus={NewAccountDialog.preload}
    >
      <Plus aria-hidden />
      {text.addAccount}
    </Button>
  );
}
