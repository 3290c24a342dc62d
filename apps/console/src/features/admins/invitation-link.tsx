/**
 * Creates the link of an invitation whose email was not delivered, so that the administrator can share it.
 */
import type { InvitationRow } from '@lanternrock/contract/rows';
import { linkText } from '../../shared/invitation-link/link-text.ts';
import { LinkToCopy } from '../../shared/invitation-link/link-to-copy.tsx';
import { Button } from '../../ui/button.tsx';
import { useInvitationLink } from './invitation-queries.ts';
import { invitationText } from './invitation-text.ts';
import { QuotedText } from '../../ui/quoted-text.tsx';

const text = invitationText.link;

interface InvitationLinkSectionProps {
  invitation: InvitationRow;
  /** An email waits for its next attempt. */
  replacesEmail: boolean;
}

export function InvitationLinkSection({
  invitation,
  replacesEmail,
}: InvitationLinkSectionProps): React.JSX.Element {
  const link = useInvitationLink();
  return (
    <section aria-labelledby="invitation-link" className="grid gap-3 border-t border-border pt-4">
      <div className="grid gap-1">
        <h3 id="invitation-link" className="text-sm font-semibold">
          {text.title}
        </h3>
        <p className="text-sm text-muted">
          <QuotedText>{text.description(invitation.full_name)}</QuotedText>{' '}
          {replacesEmail && text.replacesEmail}
        </p>
      </div>
      {link.result === undefined ? (
        <div>
          <Button
            variant="outline"
            size="sm"
            pending={link.pending}
            pendingLabel={linkText.creating}
            onClick={() => void link.submit(invitation.email)}
          >
            {linkText.create}
          </Button>
        </div>
      ) : (
        <LinkToCopy created={link.result} />
      )}
    </section>
  );
}
