/** The Accounts screen: list, search, open and create customer accounts. */
import {
  type AccountOrder,
  defaultAccountOrder,
  isTimeSort,
  tryParseOrder,
} from '@lanternrock/contract/account-view';
import type { AccountRow } from '@lanternrock/contract/rows';
import Plus from 'lucide-react/icons/plus';
import {
  type ReactNode,
  type RefObject,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { errorMessage } from '../../api/errors.ts';
import { PrintHead } from '../../shared/print-head.tsx';
import { useUrlState } from '../../shared/url-state.ts';
import { Button } from '../../ui/button.tsx';
import { lazyOverlay } from '../../ui/lazy-overlay.tsx';
import { useDebouncedSearchText } from '../../ui/use-debounced-search-text.ts';
import { useErrorToast } from '../../ui/use-error-toast.ts';
import { type AccountFilter, accountFilter } from './account-filter.ts';
import {
  type AccountsSearchParams,
  accountsSearchParams,
  defaultRowsPerPage,
} from './accounts-search-params.ts';
import { AccountsHeader } from './accounts-header.tsx';
import { AccountsFooter, AccountsTable } from './accounts-table.tsx';
import { accountListText as text, orderText } from './account-list-text.ts';
import { AccountsToolbar, ViewButton } from './accounts-toolbar.tsx';
import { useAccountsList } from './use-accounts-list.ts';
import { hasFewResults, WideSearchNote, widePlaces } from './wide-search.tsx';

// The dialog and panel load on demand, to keep the initial bundle small.
const NewAccountDialog = lazyOverlay(async () => (await import('./new-account-dialog.tsx')).NewAccountDialog);
const AccountPanel = lazyOverlay(async () => (await import('./account-panel.tsx')).AccountPanel);

/**
 * The least height of the list, in rows. All accounts need no more: below the checklist of a new instance, the text of the
 * empty list and the lower edge of a short one stay in view.
 */
const minTableRows = 5;

export function AccountsScreen(): React.JSX.Element {
  const { search, change } = useUrlState('/admin/accounts', accountsSearchParams);
  const [searchText, setSearchText] = useDebouncedSearchText(search.q ?? '', (q) =>
    change({ q }, { replace: true }),
  );
  // The search box updates first. The list follows in a low-priority render that the next keystroke can
  // interrupt.
  const deferredText = useDeferredValue(searchText);
  const filter = useAccountFilter(deferredText, search);
  const debouncedFilter = useAccountFilter(search.q, search);
  const list = useAccountsList(filter, debouncedFilter);
  const created = useCreatedAccount(list.newest);
  const rowsPerPage = search.rows ?? defaultRowsPerPage;
  const open = useCallback((account: string) => change({ account, tab: undefined }), [change]);
  const changeList = (next: AccountsSearchParams): void => {
    scrollToFirstRow();
    change(next);
  };
  const { addButton, create, findOpener } = useDialogOpener(() => change({ new: true }));
  useErrorToast({ error: list.latestError, failedAt: list.failedAt }, (error) => ({
    action: 'fetch-accounts',
    title: text.fetchFailed,
    description: errorMessage(error),
    variant: 'destructive',
  }));
  return (
    <div className="@container/screen flex grow flex-col gap-4">
      <AccountsHeader
        list={list}
        addButton={<AddButton ref={addButton} onPress={create} />}
        onCreate={create}
      />
      <ListPrintHead filter={debouncedFilter} />
      <AccountsToolbar
        search={searchText}
        onSearchChange={(next) => {
          scrollToFirstRow();
          setSearchText(next);
        }}
        type={search.type}
        onTypeChange={(next) => changeList({ type: next })}
      >
        <ViewButton
          filter={debouncedFilter}
          onChange={changeList}
          total={list.total}
          complete={list.allRows !== undefined}
        />
      </AccountsToolbar>
      {filter.wide && <WideSearchNote onPress={() => changeList({ wide: undefined })} />}
      <AccountsTable
        list={list}
        order={tryParseOrder(search.sort ?? '') ?? undefined}
        onSort={(next) => changeList({ sort: next && `${next.sort}.${next.direction}` })}
        minRows={Math.min(rowsPerPage, Math.max(minTableRows, list.allRows?.length ?? rowsPerPage))}
        openId={search.account}
        createdId={created.id}
        onOpen={open}
        createButton={<AddButton onPress={create}>{text.createFirst}</AddButton>}
        onClearFilters={() => {
          setSearchText('');
          change({ q: undefined, type: undefined, status: undefined });
        }}
        onSearchWide={hasFewResults(filter, list) ? () => changeList({ q: searchText, wide: true }) : null}
      />
      <AccountsFooter
        rowsPerPage={rowsPerPage}
        onRowsPerPageChange={(rows) => change({ rows }, { replace: true })}
        total={list.loading || list.incomplete || list.error !== null ? undefined : list.total}
      />
      <AccountPanel
        open={search.account !== undefined}
        id={search.account}
        account={search.account === undefined ? undefined : list.find(search.account)}
        listLoaded={!list.loading}
        list={list}
        onMove={(account) => change({ account, tab: undefined }, { replace: true })}
        onClose={() => change({ account: undefined })}
      />
      <NewAccountDialog
        open={search.new === true}
        rows={list.allRows}
        returnFocus={findOpener}
        onCreated={created.expect}
        onClose={(confirmed) => change({ new: undefined }, { confirmed })}
      />
    </div>
  );
}

/** Returns the filter for a text and the other search params; the same object while they are unchanged. */
const useAccountFilter = (
  searchText: string | undefined,
  { type, status, sort, wide }: AccountsSearchParams,
): AccountFilter =>
  useMemo(
    () => accountFilter(searchText, type, { status, sort, wide }),
    [searchText, type, status, sort, wide],
  );

/** The search, filters and order of the printed list. */
function ListPrintHead({ filter }: { filter: AccountFilter }): React.JSX.Element {
  const { type, status, sort } = filter;
  return (
    <PrintHead
      facts={[
        [text.search, filter.wide ? text.wideSearch(filter.text, widePlaces()) : filter.text],
        [text.typeFilter, type && text.types[type]],
        [orderText.status, status && orderText.statuses[status]],
        [orderText.sortBy, describeOrder(tryParseOrder(sort ?? '') ?? defaultAccountOrder)],
      ]}
    />
  );
}

const describeOrder = ({ sort, direction }: AccountOrder): string => {
  const directions = isTimeSort(sort) ? orderText.timeDirections : orderText.directions;
  return `${orderText.sorts[sort]}, ${directions[direction].toLowerCase()}`;
};

/** The same position in another search, filter or order is arbitrary. */
const scrollToFirstRow = (): void =>
  document.querySelector('[data-scroll-restoration-id="accounts"]')?.scrollTo(0, 0);

/**
 * Opens the dialog of a new account, and remembers the button. The first account removes the buttons of the empty list, so
 * `findOpener` then returns that of the header.
 */
const useDialogOpener = (open: () => void) => {
  const addButton = useRef<HTMLButtonElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  return {
    addButton,
    create: () => {
      opener.current = document.activeElement?.closest('button') ?? null;
      open();
    },
    findOpener: () => (opener.current?.isConnected === true ? opener.current : addButton.current),
  };
};

interface AddButtonProps {
  ref?: RefObject<HTMLButtonElement | null>;
  onPress: () => void;
  children?: ReactNode;
}

/** Opens the dialog of a new account. */
function AddButton({ ref, onPress, children }: AddButtonProps): React.JSX.Element {
  return (
    <Button
      ref={ref}
      onClick={onPress}
      onPointerEnter={NewAccountDialog.preload}
      onFocus={NewAccountDialog.preload}
    >
      <Plus aria-hidden />
      {children ?? text.addAccount}
    </Button>
  );
}

const highlightMs = 4000;

interface CreatedAccount {
  /** ID of the account to highlight. */
  readonly id: string | undefined;
  /** Call with the name of a created account before the list is reloaded. */
  readonly expect: (name: string) => void;
}

/**
 * @param rows the newest accounts, in which the ID is found: the response to the insert does not contain the
 * row
 */
const useCreatedAccount = (rows: readonly AccountRow[]): CreatedAccount => {
  const [expected, setExpected] = useState<{ name: string; known: ReadonlySet<string> }>();
  const created =
    expected === undefined
      ? undefined
      : rows.find((row) => row.name === expected.name && !expected.known.has(row.id));
  const id = created?.id;
  useEffect(() => {
    if (id === undefined) return undefined;
    const row = document.querySelector(`[data-account="${CSS.escape(id)}"]`);
    row?.scrollIntoView({ block: 'nearest' });
    const timer = setTimeout(() => setExpected(undefined), highlightMs);
    return () => clearTimeout(timer);
  }, [id]);
  return {
    id,
    expect: (name) => setExpected({ name, known: new Set(rows.map((row) => row.id)) }),
  };
};
