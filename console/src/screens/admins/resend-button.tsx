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
}

export function ResendButton({ invitation, describedBy }: ResendButtonProps): React.JSX.Element {
  const resend = useResend();
  return (
    <Button
      variant="outline"
      size="sm"
      aria-describedby={describedBy}
      disabled={!canResend(invitation.status)}
      pending={resend.isPending}
      pendingLabel={text.resending}
      onClick={() => resend.mutate({ email: invitation.email, full_name: invitation.full_name })}
    >
      <Send aria-hidden />
      {text.resend}
    </Button>
  );
}
