/** 'Resend' of one invitation, with a pending state of its own. Asks first where it takes a decision back. */
import type { InvitationRow } from '@lanternrock/contract/rows';
import Send from 'lucide-react/icons/send';
import { useState } from 'react';
import { hasFeature } from '../../api/runtime-config.ts';
import { Button } from '../../ui/button.tsx';
import { LazyConfirmDialog } from '../../ui/lazy-overlays.ts';
import { useResend } from './admins-queries.ts';
import { adminsText as text } from './admins-text.ts';
import { canResend, manuallyEndedStatus } from './invitation-status.ts';

interface ResendButtonProps {
  invitation: InvitationRow;
  /** Id of an element that says whose invitation it is. */
  describedBy?: string;
  /** Seconds until the service sends it again. */
  wait?: number;
}

export function ResendButton({ invitation, describedBy, wait = 0 }: ResendButtonProps): React.JSX.Element {
  const resend = useResend();
  const ended = hasFeature('administrator-actions') ? manuallyEndedStatus(invitation.status) : null;
  const [asking, setAsking] = useState(false);
  // The question keeps its words while it fades out, when the answer has changed the status already.
  const [last, setLast] = useState(ended);
  if (asking && ended !== null && ended !== last) setLast(ended);
  const send = (): void =>
    resend.mutate(
      { email: invitation.email, full_name: invitation.full_name },
      { onSettled: () => setAsking(false) },
    );
  return (
    <>
      <Button
        variant="outline"
        size="sm"
        aria-describedby={describedBy}
        disabled={!canResend(invitation.status) || wait > 0}
        pending={resend.isPending}
        pendingLabel={text.resending}
        onClick={() => (ended === null ? send() : setAsking(true))}
      >
        <Send aria-hidden />
        {text.resend}
      </Button>
      {last !== null && (
        <LazyConfirmDialog
          open={asking}
          title={text.resendQuestion.title(invitation.full_name)}
          description={text.resendQuestion[last](invitation.email)}
          confirmLabel={text.resendQuestion.confirm}
          destructive={false}
          pending={resend.isPending}
          pendingLabel={text.resending}
          onCancel={() => setAsking(false)}
          onConfirm={send}
        />
      )}
    </>
  );
}
