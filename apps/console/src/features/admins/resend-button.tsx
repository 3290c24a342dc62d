/**
 * The Resend button of one invitation. Confirms the resend of a revoked invitation or a removed
 * administrator.
 */
import type { InvitationRow } from '@lanternrock/contract/rows';
import Send from 'lucide-react/icons/send';
import { useState } from 'react';
import { hasFeature } from '../../api/runtime-config.ts';
import { Button } from '../../ui/button.tsx';
import { LazyConfirmDialog } from '../../ui/lazy-overlay.tsx';
import { useLastDefined } from '../../ui/use-last-defined.ts';
import { useResend } from './admins-queries.ts';
import { adminsText as text } from './admins-text.ts';
import { canResend, manuallyEndedStatus } from './invitation-status.tsx';

interface ResendButtonProps {
  invitation: InvitationRow;
  /** ID of an element that describes the button, such as the invited user. */
  describedBy?: string | undefined;
  /** Seconds until a resend is allowed. */
  cooldownSeconds?: number;
}

export function ResendButton({
  invitation,
  describedBy,
  cooldownSeconds = 0,
}: ResendButtonProps): React.JSX.Element {
  const resend = useResend();
  const endedStatus = hasFeature('extensions') ? manuallyEndedStatus(invitation.status) : null;
  const [confirming, setConfirming] = useState(false);
  const last = useLastDefined(confirming && endedStatus !== null ? endedStatus : undefined);
  const send = (): void => {
    const { email, full_name } = invitation;
    void resend.submit({ email, full_name }).then(() => setConfirming(false));
  };
  return (
    <>
      <Button
        variant="outline"
        size="sm"
        aria-describedby={describedBy}
        disabled={!canResend(invitation.status) || cooldownSeconds > 0}
        pending={resend.pending}
        pendingLabel={text.resending}
        onClick={() => (endedStatus === null ? send() : setConfirming(true))}
      >
        <Send aria-hidden />
        {endedStatus === 'removed' ? text.inviteAgain : text.resend}
      </Button>
      {last !== undefined && (
        <LazyConfirmDialog
          open={confirming}
          title={text.resendConfirmation.title(invitation.full_name)}
          description={text.resendConfirmation[last](invitation.email)}
          confirmLabel={text.resendConfirmation.confirm}
          destructive={false}
          pending={resend.pending}
          pendingLabel={text.resending}
          onCancel={() => {
            resend.cancel();
            setConfirming(false);
          }}
          onConfirm={send}
        />
      )}
    </>
  );
}
