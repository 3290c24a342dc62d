/** The recently viewed accounts, on top of the command palette. */
import { useNavigate } from '@tanstack/react-router';
import Building2 from 'lucide-react/icons/building-complex';
import { accountsSearchParams } from '../../features/accounts/accounts-search-params.ts';
import { readRecentAccounts } from '../../session/recent-accounts.ts';
import { useUser } from '../../session/use-session.tsx';
import { useUrlState } from '../../shared/url-state.ts';
import type { CommandGroup } from '../../ui/command-list.tsx';

export const useRecentAccountsGroup = (shown: boolean): readonly CommandGroup[] => {
  const navigate = useNavigate();
  const userId = useUser()?.id;
  const { account: openId } = useUrlState('/admin/accounts', accountsSearchParams).search;
  const recent = shown && userId !== undefined ? readRecentAccounts(userId) : [];
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
