/** The open invitations of members of an account, in its panel: status, resend, link, revoke. */
import type { MemberInvitation } from '@lanternrock/contract/member-invitations';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { errorMessage } from '../../api/errors.ts';
import { linkText } from '../../shared/invitation-link/link-text.ts';
import { LinkToCopy } from '../../shared/invitation-link/link-to-copy.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { LazyConfirmDialog } from '../../ui/lazy-overlay.tsx';
import { QuotedText } from '../../ui/quoted-text.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { Time } from '../../ui/time.tsx';
import {
  memberInvitationsQuery,
  useMemberInvitationLink,
  useResendMemberInvitation,
  useRevokeMemberInvitation,
} from './member-invitation-queries.ts';
import { memberInvitationsText as text } from './member-invitations-text.ts';
import { EndTime } from './membership-end.tsx';
import { membersText } from './members-text.ts';

interface MemberInvitationsProps {
  accountId: string;
}

/** Shows nothing without invitations. */
export function MemberInvitations({ accountId }: MemberInvitationsProps): React.JSX.Element | null {
  const { data, isError, error, isFetching, refetch } = useQuery(memberInvitationsQuery(accountId));
  const region = useRef<HTMLDivElement>(null);
  if (data === undefined)
    return isError ? (
      <ErrorState
        title={text.loadFailed}
        description={errorMessage(error)}
        onRetry={() => void refetch()}
        retrying={isFetching}
      />
    ) : null;
  return (
    // Stays when the last invitation is gone, because it has the focus then.
    <div ref={region} tabIndex={-1} role="group" aria-label={text.title} className="grid gap-2 rounded-md">
      {data.invitations.length > 0 && (
        <>
          <h3 className="text-sm font-medium text-muted">{text.title}</h3>
          <ul aria-label={text.title} aria-busy={isFetching} className="grid">
            {data.invitations.map((invitation) => (
              <InvitationItem
                key={invitation.id}
                accountId={accountId}
                invitation={invitation}
                // The pressed button is gone with its row.
                onRevoked={() => region.current?.focus()}
              />
            ))}
          </ul>
          {data.more && <p className="text-xs text-muted">{text.more}</p>}
        </>
      )}
    </div>
  );
}

interface InvitationItemProps extends MemberInvitationsProps {
  invitation: MemberInvitation;
  onRevoked: () => void;
}

function InvitationItem({ accountId, invitation, onRevoked }: InvitationItemProps): React.JSX.Element {
  const { full_name: name, email, link_allowed: canCreateLink } = invitation;
  const resend = useResendMemberInvitation(accountId);
  const link = useMemberInvitationLink(accountId);
  const revoke = useRevokeMemberInvitation(accountId);
  const [confirming, setConfirming] = useState(false);
  const resendButton = useRef<HTMLButtonElement>(null);
  const { pending } = resend;
  useEffect(() => {
    // A pending button is disabled and loses the focus.
    if (!pending && document.activeElement === document.body) resendButton.current?.focus();
  }, [pending]);
  return (
    <li className="grid gap-1.5 border-t border-border py-3 first:border-t-0 first:pt-0">
      <InvitationState invitation={invitation} />
      <div className="flex flex-wrap gap-2">
        <Button
          ref={resendButton}
          variant="outline"
          size="sm"
          aria-label={membersText.actionOn(text.resend, name)}
          disabled={link.pending}
          pending={pending}
          pendingLabel={text.resending}
          onClick={() => void resend.submit(invitation)}
        >
          {text.resend}
        </Button>
        {canCreateLink && link.result === undefined && (
          <Button
            variant="outline"
            size="sm"
            aria-label={membersText.actionOn(linkText.create, name)}
            disabled={pending}
            pending={link.pending}
            pendingLabel={linkText.creating}
            onClick={() => void link.submit(invitation)}
          >
            {linkText.create}
          </Button>
        )}
        <Button
          variant="outlineDestructive"
          size="sm"
          aria-label={membersText.actionOn(text.revoke, name)}
          disabled={pending || link.pending}
          onClick={() => setConfirming(true)}
        >
          {text.revoke}
        </Button>
      </div>
      {canCreateLink && link.result !== undefined && (
        <div role="group" aria-label={text.linkOf(name)} className="grid gap-2">
          <p className="text-xs text-muted">
            <QuotedText>{text.linkDescription(name)}</QuotedText>
          </p>
          <LinkToCopy created={link.result} />
        </div>
      )}
      <LazyConfirmDialog
        open={confirming}
        title={text.revokeDialog.title(name)}
        description={text.revokeDialog.description(email)}
        confirmLabel={text.revokeDialog.confirm}
        pending={revoke.pending}
        pendingLabel={text.revokeDialog.pending}
        onCancel={() => {
          revoke.cancel();
          setConfirming(false);
        }}
        onConfirm={() =>
          void revoke.submit(invitation).then((done) => {
            setConfirming(false);
            if (done) onRevoked();
          })
        }
      />
    </li>
  );
}

function InvitationState({ invitation }: Pick<InvitationItemProps, 'invitation'>): React.JSX.Element {
  const { full_name: name, email, status } = invitation;
  const emailStatus = invitation.email_status && text.emailStatus[invitation.email_status];
  return (
    <>
      <div className="flex items-start justify-between gap-2">
        <bdi translate="no" className="text-sm font-medium wrap-anywhere">
          {name}
        </bdi>
        <StatusBadge status={status} />
      </div>
      <p className="text-xs text-muted wrap-anywhere">
        <bdi translate="no">{email}</bdi>, {text.invited} <Time value={invitation.invited_at} />
        {invitation.invited_by !== null && (
          <>
            {' '}
            {text.by} <bdi translate="no">{invitation.invited_by}</bdi>
          </>
        )}
        , {status === 'expired' ? text.expired : text.expires} <Time value={invitation.expires_at} />
      </p>
      {invitation.ends_at !== null && (
        <p className="text-xs text-muted">
          {text.ends} <EndTime value={invitation.ends_at} />
        </p>
      )}
      {emailStatus !== null && (
        <p className="text-xs text-muted">
          {emailStatus}
          {invitation.link_allowed && invitation.email_status === 'waiting' && `. ${text.replacesEmail}`}
        </p>
      )}
    </>
  );
}
