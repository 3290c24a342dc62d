/** Screen for a list of invitees, shown to platform administrators only. */
import { useQueryClient } from '@tanstack/react-query';
import { hasFeature } from '../api/runtime-config.ts';
import { invitationsQuery } from '../features/admins/admins-queries.ts';
import { InviteListScreen } from '../features/invite-list/invite-list-screen.tsx';
import { NotFoundScreen } from './pages/not-found-screen.tsx';
import { RequirePlatformAdmin } from './require-platform-admin.tsx';

export function GuardedInviteListScreen(): React.JSX.Element {
  const client = useQueryClient();
  if (!hasFeature('invitation-lists')) return <NotFoundScreen />;
  return (
    <RequirePlatformAdmin>
      <InviteListScreen
        onInvited={() => void client.invalidateQueries({ queryKey: invitationsQuery.queryKey })}
      />
    </RequirePlatformAdmin>
  );
}
