/** Customer accounts: find, open, create (specification section 2, Accounts screen). */
import Plus from 'lucide-react/icons/plus';
import { type RefObject, useCallback, useDeferredValue, useMemo, useRef } from 'react';
import { errorMessage } from '../../api/errors.ts';
import { Button } from '../../ui/button.tsx';
import { lazyOverlay } from '../../ui/lazy-overlay.tsx';
import { ScreenHeader } from '../../ui/screen-header.tsx';
import { useErrorToast } from '../../ui/use-error-toast.ts';
import { accountFilter } from './account-filter.ts';
import { AccountsFooter } from './accounts-footer.tsx';
import { defaultRowsPerPage } from './accounts-search-params.ts';
import { AccountsTable } from './accounts-table.tsx';
import { AccountsToolbar } from './accounts-toolbar.tsx';
import { accountsText as text } from './accounts-text.ts';
import { useAccountsList } from './use-accounts-list.ts';
import { useAccountsSearchParams, useDebouncedSearchText } from './use-accounts-search-params.ts';
import { useCreatedAccount } from './use-created-account.ts';

// Form, validation and panel load when somebody reaches for them, not with the list.
const NewAccountDialog = lazyOverlay(async () => (await import('./new-account-dialog.tsx')).NewAccountDialog);
const AccountPanel = lazyOverlay(async () => (await import('./account-panel.tsx')).AccountPanel);

export function AccountsScreen(): React.JSX.Element {
  const { search, change } = useAccountsSearchParams();
  const [typed, setTyped] = useDebouncedSearchText(search.q ?? '', (q) => change({ q }, { replace: true }));
  // The key shows in the box first, the list follows in a render that the next key may overtake.
  const filtered = useDeferredValue(typed);
  const filter = useMemo(() => accountFilter(filtered, search.type), [filtered, search.type]);
  const settled = useMemo(() => accountFilter(search.q, search.type), [search.q, search.type]);
  const list = useAccountsList(filter, settled);
  const fresh = useCreatedAccount(list.newest);
  const height = search.rows ?? defaultRowsPerPage;
  const open = useCallback((account: string) => change({ account }), [change]);
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
        search={typed}
        onSearchChange={setTyped}
        type={search.type}
        onTypeChange={(type) => change({ type })}
      />
      <AccountsTable
        list={list}
        height={height}
        openId={search.account}
        freshId={fresh.id}
        onOpen={open}
        onClearFilters={() => {
          setTyped('');
          change({ q: undefined, type: undefined });
        }}
      />
      <AccountsFooter
        height={height}
        onHeightChange={(rows) => change({ rows }, { replace: true })}
        total={list.loading || list.incomplete || list.failure !== null ? undefined : list.total}
      />
      <AccountPanel
        open={search.account !== undefined}
        id={search.account}
        account={search.account === undefined ? undefined : list.find(search.account)}
        listSettled={!list.loading}
        onClose={() => change({ account: undefined })}
      />
      <NewAccountDialog
        open={search.new === true}
        rows={list.everyRow}
        returnFocus={addButton}
        onCreated={fresh.expect}
        onClose={(agreed) => change({ new: undefined }, { agreed })}
      />
    </div>
  );
}

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
