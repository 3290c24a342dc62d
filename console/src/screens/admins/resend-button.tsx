/** 'Resend' of one invitation, with a pending state of its own. */
import type { InvitationRow } from '@lanternrock/contract/rows';
import { Send } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { useResend } from './admins-queries.ts';
import { adminsText as text } from './admins-text.ts';
import { canResend } from './invitation-status.ts';

interface ResendButtonProps {
  invitation: InvitationRow;
  /** Id of an element that says whose invitation it is. */
  describedBy?: string;
  /** Seconds until the service sends it again. */
  wait?: number;
}

export function ResendButton({ invitation, describedBy, wait = 0 }: ResendButtonProps): React.JSX.Element {
  const resend = useResend();
  return (
    <Button
      variant="outline"
      size="sm"
      aria-describedby={describedBy}
      disabled={!canResend(invitation.status) || wait > 0}
      pending={resend.isPending}
      pendingLabel={text.resending}
      onClick={() => resend.mutate({ email: invitation.email, full_name: invitation.full_name })}
    >
      <Send aria-hidden />
      {text.resend}
    </Button>
  );
}
