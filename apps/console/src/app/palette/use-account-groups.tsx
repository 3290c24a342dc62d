/** Accounts in the command palette: the open one with its actions, viewed ones and found ones. */
import type { AccountRow } from '@lanternrock/contract/rows';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import Building2 from 'lucide-react/icons/building-complex';
import Pencil from 'lucide-react/icons/pencil';
import { accountActionsFor } from '../../features/accounts/account-status-changes.ts';
import { accountText } from '../../features/accounts/account-text.ts';
import { cachedAccounts, getAllCachedAccounts } from '../../features/accounts/accounts-list.ts';
import { accountQuery } from '../../features/accounts/accounts-queries.ts';
import { accountsSearchParams } from '../../features/accounts/accounts-search-params.ts';
import { recentAccounts, recentSearches } from '../../session/recent-lists.ts';
import { useIsAdministrator, useUser } from '../../session/use-session.tsx';
import { useUrlState } from '../../shared/url-state.ts';
import type { CommandGroup } from '../../ui/command-list.tsx';
import { matchesCommand } from './command-match.ts';

/** Returns the cached row of the account in the panel. */
const useOpenAccount = (): AccountRow | undefined => {
  const client = useQueryClient();
  const { account: id } = useUrlState('/admin/accounts', accountsSearchParams).search;
  if (id === undefined || !location.pathname.startsWith('/admin/accounts')) return undefined;
  const rows = getAllCachedAccounts(client) ?? cachedAccounts(client);
  return rows.find((row) => row.id === id) ?? client.getQueryData(accountQuery(id).queryKey) ?? undefined;
};

/** The actions of the account in the open panel: their dialogs are in the URL. */
export const useOpenAccountGroup = (words: readonly string[]): readonly CommandGroup[] => {
  const navigate = useNavigate();
  const isAdministrator = useIsAdministrator().state === 'yes';
  const account = useOpenAccount();
  if (account === undefined || !isAdministrator) return [];
  const items = accountActionsFor(account.status)
    .map((action) => ({
      id: `account-${action}`,
      label: `${accountText.actions[action]} account`,
      icon: <Pencil />,
      movesFocus: true,
      run: () =>
        void navigate({ to: '/admin/accounts', search: (now) => ({ ...now, account: account.id, action }) }),
    }))
    .filter(({ label }) => matchesCommand(words, label, `change status ${account.name}`));
  return items.length === 0 ? [] : [{ value: account.name, items }];
};

/** The recently viewed accounts. */
export const useRecentAccountsGroup = (shown: boolean): readonly CommandGroup[] => {
  const navigate = useNavigate();
  const userId = useUser()?.id;
  const { account: openId } = useUrlState('/admin/accounts', accountsSearchParams).search;
  const recent = shown && userId !== undefined ? recentAccounts.read(userId) : [];
  const accounts = recent.filter(({ id }) => id !== openId);
  if (accounts.length === 0) return [];
  const items = accounts.map(({ id, name }) => ({
    id: `viewed-${id}`,
    label: name,
    translate: 'no' as const,
    icon: <Building2 />,
    movesFocus: true,
    run: () =>
      void navigate({ to: '/admin/accounts', search: (now) => ({ ...now, account: id, action: undefined }) }),
  }));
  return [{ value: 'Recently viewed', items }];
};

const formatPlace = (account: AccountRow): string =>
  [account.city, account.state].filter((part) => part !== null && part !== '').join(', ');

/** The accounts that a search has found. */
export const useFoundAccountsGroup = (rows: readonly AccountRow[], text: string): readonly CommandGroup[] => {
  const navigate = useNavigate();
  const userId = useUser()?.id;
  if (rows.length === 0) return [];
  const items = rows.map((account) => ({
    id: account.id,
    label: account.name,
    translate: 'no' as const,
    detail: formatPlace(account),
    icon: <Building2 />,
    movesFocus: true,
    run: () => {
      if (userId !== undefined) recentSearches.save(userId, text.trim());
      void navigate({ to: '/admin/accounts', search: (now) => ({ ...now, account: account.id }) });
    },
  }));
  return [{ value: 'Accounts', items }];
};
