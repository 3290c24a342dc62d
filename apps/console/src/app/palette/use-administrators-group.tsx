/** Administrators in the command palette, also those who never had an invitation. */
import type { Administrator } from '@lanternrock/contract/administrators';
import type { SearchWord } from '@lanternrock/contract/text-search';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import UserRound from 'lucide-react/icons/user-round';
import { administratorsQuery } from '../../features/admins/administrator-queries.ts';
import { administratorName } from '../../features/admins/administrators-filter.ts';
import { enabledIf, hasFeature } from '../../api/runtime-config.ts';
import { useIsAdministrator } from '../../session/use-session.tsx';
import type { CommandGroup } from '../../ui/command-list.tsx';
import { matchesCommand } from './command-match.ts';

const maxResults = 5;

interface FoundAdministrators {
  readonly groups: readonly CommandGroup[];
  readonly searching: boolean;
  readonly failed: boolean;
}

export const useAdministratorsGroup = (words: readonly SearchWord[]): FoundAdministrators => {
  const navigate = useNavigate();
  const { state, error: roleError } = useIsAdministrator();
  const canSearch = words.length > 0 && hasFeature('extensions');
  const query = useQuery({
    ...administratorsQuery,
    staleTime: 60_000,
    ...enabledIf(canSearch && state === 'yes'),
  });
  if (!canSearch || state === 'no') return { groups: [], searching: false, failed: false };
  if (query.data === undefined) {
    const failed = state === 'yes' ? query.isError : roleError !== null;
    return { groups: [], searching: !failed, failed };
  }
  const open = ({ user_id, invitation_id }: Administrator): void => {
    const panel = invitation_id === null ? { administrator: user_id } : { invitation: invitation_id };
    void navigate({ to: '/admin/platform-admins', search: panel });
  };
  const items = query.data
    .filter(({ full_name: name, email }) => matchesCommand(words, name ?? '', email))
    .slice(0, maxResults)
    .map((administrator) => ({
      id: administrator.user_id,
      label: administratorName(administrator),
      translate: 'no' as const,
      detail: administrator.email,
      icon: <UserRound />,
      movesFocus: true,
      run: () => open(administrator),
    }));
  const groups = items.length === 0 ? [] : [{ value: 'Administrators', items }];
  return { groups, searching: false, failed: false };
};
