/** Administrators in the command palette, also those who never had an invitation. */
import type { Administrator } from '@lanternrock/contract/administrators';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import UserRound from 'lucide-react/icons/user-round';
import { administratorsQuery } from '../../api/administrators.ts';
import { enabledIf } from '../../api/enabled-if.ts';
import { hasFeature } from '../../api/runtime-config.ts';
import { useIsPlatformAdmin } from '../../session/use-session.tsx';
import type { CommandGroup } from '../../ui/command-list.tsx';
import { matchesCommand } from './command-match.ts';

const maxResults = 5;

export const useAdministratorsGroup = (words: readonly string[]): readonly CommandGroup[] => {
  const navigate = useNavigate();
  const isAdministrator = useIsPlatformAdmin().state === 'yes';
  const isSearching = words.length > 0 && isAdministrator && hasFeature('administrator-access');
  const { data } = useQuery({ ...administratorsQuery, staleTime: 60_000, ...enabledIf(isSearching) });
  if (!isSearching || data === undefined) return [];
  const open = ({ user_id, invitation_id }: Administrator): void => {
    const panel = invitation_id === null ? { administrator: user_id } : { invitation: invitation_id };
    void navigate({ to: '/admin/platform-admins', search: panel });
  };
  const items = data
    .filter(({ full_name: name, email }) => matchesCommand(words, name ?? '', email))
    .slice(0, maxResults)
    .map((administrator) => ({
      id: administrator.user_id,
      label:
        administrator.full_name === null || administrator.full_name === ''
          ? administrator.email
          : administrator.full_name,
      detail: administrator.email,
      icon: <UserRound />,
      movesFocus: true,
      run: () => open(administrator),
    }));
  return items.length === 0 ? [] : [{ value: 'Administrators', items }];
};
