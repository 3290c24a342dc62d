/** Invited administrators (specification section 2, Admins screen). The route asks for the role. */
import { useQuery } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { lazy, Suspense, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { ScreenHeader } from '../../ui/screen-header.tsx';
import { invitationsQuery } from './admins-queries.ts';
import { adminsText as text } from './admins-text.ts';
import { InvitationPanel } from './invitation-panel.tsx';
import { InvitationsTable } from './invitations-table.tsx';
import { useAdminsSearch } from './use-admins-search.ts';

// Form and validation load when somebody reaches for the button, not with the list.
const loadDialog = () => import('./invite-dialog.tsx');
const InviteDialog = lazy(async () => ({ default: (await loadDialog()).InviteDialog }));

export function AdminsScreen(): React.JSX.Element {
  const { search, change } = useAdminsSearch();
  const query = useQuery(invitationsQuery);
  const inviteButton = useRef<HTMLButtonElement>(null);
  const inviting = search.invite === true;
  // Loaded with the first opening; stays, so that closing can be seen.
  const [wanted, setWanted] = useState(inviting);
  if (inviting && !wanted) setWanted(true);
  return (
    <div className="grid content-start gap-4">
      <ScreenHeader
        title={text.title}
        action={
          <Button
            ref={inviteButton}
            onClick={() => change({ invite: true })}
            onPointerEnter={() => void loadDialog()}
            onFocus={() => void loadDialog()}
          >
            <UserPlus aria-hidden />
            {text.invite}
          </Button>
        }
      />
      <InvitationsTable
        query={query}
        openId={search.invitation}
        onOpen={(invitation) => change({ invitation })}
      />
      <InvitationPanel
        id={search.invitation}
        rows={query.data}
        onClose={() => change({ invitation: undefined })}
      />
      {wanted && (
        <Suspense fallback={null}>
          <InviteDialog
            open={inviting}
            returnFocus={inviteButton}
            onClose={(agreed) => change({ invite: undefined }, agreed)}
          />
        </Suspense>
      )}
    </div>
  );
}
