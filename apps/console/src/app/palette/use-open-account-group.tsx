/** Commands of the account in the open panel: its dialogs are in the URL. */
import type { AccountRow } from '@lanternrock/contract/rows';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import Pencil from 'lucide-react/icons/pencil';
import { hasFeature } from '../../api/runtime-config.ts';
import { statusActionsFor } from '../../features/accounts/account-status-changes.ts';
import { accountText } from '../../features/accounts/account-text.ts';
import { cachedAccounts, getAllCachedAccounts } from '../../features/accounts/accounts-list.ts';
import { accountQuery } from '../../features/accounts/accounts-queries.ts';
import { type AccountAction, accountsSearchParams } from '../../features/accounts/accounts-search-params.ts';
import { useIsPlatformAdmin } from '../../session/use-session.tsx';
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

export const useOpenAccountGroup = (words: readonly string[]): readonly CommandGroup[] => {
  const navigate = useNavigate();
  const isAdmin = useIsPlatformAdmin().state === 'yes';
  const account = useOpenAccount();
  if (account === undefined || !isAdmin) return [];
  const actions: readonly AccountAction[] = [
    ...(hasFeature('account-edit') ? (['edit'] as const) : []),
    ...(hasFeature('account-status') ? statusActionsFor(account.status) : []),
  ];
  const items = actions
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
