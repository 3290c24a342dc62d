/** The Admins screen: the list of invited administrators. `guarded-admins-screen.tsx` checks the role. */
import { useQuery } from '@tanstack/react-query';
import UserPlus from 'lucide-react/icons/user-plus';
import { useRef } from 'react';
import { Button } from '../../ui/button.tsx';
import { lazyOverlay } from '../../ui/lazy-overlay.tsx';
import { ScreenHeader } from '../../ui/screen-header.tsx';
import { invitationsQuery } from './admins-queries.ts';
import { adminsText as text } from './admins-text.ts';
import { InvitationsTable } from './invitations-table.tsx';
import { UnsentNotice } from './unsent-notice.tsx';
import { useResending } from './unsent-queries.ts';
import { useAdminsSearchParams } from './use-admins-search-params.ts';

// The dialog and panel load on demand, to keep the code of the screen small.
const InviteDialog = lazyOverlay(async () => (await import('./invite-dialog.tsx')).InviteDialog);
const InvitationPanel = lazyOverlay(async () => (await import('./invitation-panel.tsx')).InvitationPanel);

export function AdminsScreen(): React.JSX.Element {
  const { search, change } = useAdminsSearchParams();
  const query = useQuery(invitationsQuery);
  const resending = useResending();
  const inviteButton = useRef<HTMLButtonElement>(null);
  return (
    <div className="grid content-start gap-4">
      <ScreenHeader
        title={text.title}
        action={
          <Button
            ref={inviteButton}
            onClick={() => change({ invite: true })}
            onPointerEnter={InviteDialog.preload}
            onFocus={InviteDialog.preload}
          >
            <UserPlus aria-hidden />
            {text.invite}
          </Button>
        }
      />
      <UnsentNotice {...resending} />
      <InvitationsTable
        query={query}
        notes={resending.notes}
        openId={search.invitation}
        onOpen={(invitation) => change({ invitation })}
      />
      <InvitationPanel
        open={search.invitation !== undefined}
        id={search.invitation}
        rows={query.data}
        onClose={() => change({ invitation: undefined })}
      />
      <InviteDialog
        open={search.invite === true}
        returnFocus={inviteButton}
        onClose={(confirmed) => change({ invite: undefined }, confirmed)}
      />
    </div>
  );
}
