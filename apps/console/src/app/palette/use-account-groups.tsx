/** Accounts in the command palette: the open one with its actions, viewed ones and found ones. */
import type { AccountRow } from '@lanternrock/contract/rows';
import type { SearchWord } from '@lanternrock/contract/text-search';
import { useQueryClient } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import Building2 from 'lucide-react/icons/building-complex';
import List from 'lucide-react/icons/list';
import Pencil from 'lucide-react/icons/pencil';
import { accountActionsFor, changeAccountStatus } from '../../features/accounts/account-status-changes.ts';
import { accountPanelText } from '../../features/accounts/account-panel-text.ts';
import { getAllCachedAccounts } from '../../features/accounts/accounts-cache.ts';
import { cachedAccounts } from '../../features/accounts/accounts-list.ts';
import { accountQuery } from '../../features/accounts/accounts-queries.ts';
import {
  type AccountDialog,
  accountsSearchParams,
  hasDialog,
} from '../../features/accounts/accounts-search-params.ts';
import { recentAccounts, recentSearches } from '../../session/recent-lists.ts';
import { useIsAdministrator, useUser } from '../../session/use-session.tsx';
import { useUrlState } from '../../shared/url-state.ts';
import type { CommandGroup, CommandItem } from '../../ui/command-list.tsx';
import { isUnusualStatus, StatusBadge } from '../../ui/status-badge.tsx';
import { matchesCommand } from './command-match.ts';

/** Returns a function that opens the panel of an account, with the dialog of an action or with none. */
const useOpenAccountPanel = (): ((account: string, action?: AccountDialog) => void) => {
  const navigate = useNavigate();
  return (account, action) =>
    void navigate({ to: '/admin/accounts', search: (previous) => ({ ...previous, account, action }) });
};

const toItem = (id: string, name: string, run: () => void) => ({
  id,
  label: name,
  translate: 'no' as const,
  icon: <Building2 />,
  movesFocus: true,
  run,
});

/** Returns the cached row of the account in the panel. */
const usePanelAccount = (): AccountRow | undefined => {
  const client = useQueryClient();
  const { account: id } = useUrlState('/admin/accounts', accountsSearchParams).search;
  const isShown = useLocation({ select: ({ pathname }) => pathname.startsWith('/admin/accounts') });
  if (id === undefined || !isShown) return undefined;
  const rows = getAllCachedAccounts(client) ?? cachedAccounts(client);
  return rows.find((row) => row.id === id) ?? client.getQueryData(accountQuery(id).queryKey) ?? undefined;
};

/** Returns the actions of the account in the open panel. Their dialogs are in the URL. */
export const usePanelAccountGroup = (words: readonly SearchWord[]): readonly CommandGroup[] => {
  const openPanel = useOpenAccountPanel();
  const isAdministrator = useIsAdministrator().state === 'yes';
  const client = useQueryClient();
  const account = usePanelAccount();
  if (account === undefined || !isAdministrator) return [];
  const items = accountActionsFor(account.status)
    .map((action) => ({
      id: `account-${action}`,
      label: `${accountPanelText.actions[action]} account`,
      icon: <Pencil />,
      movesFocus: hasDialog(action),
      run: () => {
        if (hasDialog(action)) openPanel(account.id, action);
        else void changeAccountStatus(client, { account, action });
      },
    }))
    .filter(({ label }) => matchesCommand(words, label, `change status ${account.name}`));
  return items.length === 0 ? [] : [{ value: account.name, items }];
};

/** Returns the recently viewed accounts, without the one in the panel. @param shown false for an empty result */
export const useRecentAccountsGroup = (shown: boolean): readonly CommandGroup[] => {
  const openPanel = useOpenAccountPanel();
  const userId = useUser()?.id;
  const { account: openId } = useUrlState('/admin/accounts', accountsSearchParams).search;
  const recent = shown && userId !== undefined ? recentAccounts.read(userId) : [];
  const accounts = recent.filter(({ id }) => id !== openId);
  if (accounts.length === 0) return [];
  const items = accounts.map(({ id, name }) => toItem(`viewed-${id}`, name, () => openPanel(id)));
  return [{ value: 'Recently viewed', items }];
};

const formatPlace = (account: AccountRow): string =>
  [account.city, account.state].filter((part) => part !== null && part !== '').join(', ');

/** Returns the found accounts and a link to all of them. Opening one saves the text as a recent search. */
export const useFoundAccountsGroup = (rows: readonly AccountRow[], text: string): readonly CommandGroup[] => {
  const openPanel = useOpenAccountPanel();
  const navigate = useNavigate();
  const isListShown = useLocation({ select: ({ pathname }) => pathname === '/admin/accounts' });
  const userId = useUser()?.id;
  if (rows.length === 0) return [];
  const saveSearch = (): void => {
    if (userId !== undefined) recentSearches.save(userId, text);
  };
  const open = (id: string): void => {
    saveSearch();
    openPanel(id);
  };
  const items = rows.map((account) => ({
    ...toItem(account.id, account.name, () => open(account.id)),
    detail: formatPlace(account),
    badge: isUnusualStatus(account.status) && <StatusBadge status={account.status} size="sm" />,
  }));
  const showAll: CommandItem = {
    id: 'all-accounts',
    label: 'Show all',
    icon: <List />,
    // The opened screen gets the focus.
    movesFocus: !isListShown,
    run: () => {
      saveSearch();
      void navigate({ to: '/admin/accounts', search: { q: text, wide: true } });
    },
  };
  return [{ value: 'Accounts', items: [...items, showAll] }];
};
