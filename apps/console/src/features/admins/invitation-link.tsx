/**
 * Creates the link of an invitation whose email was not delivered, so that the administrator can share it.
 */
import type { InvitationRow } from '@lanternrock/contract/rows';
import Check from 'lucide-react/icons/check';
import Copy from 'lucide-react/icons/copy';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { useCopyToClipboard } from '../../ui/use-copy-to-clipboard.ts';
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
            pendingLabel={text.creating}
            onClick={() => void link.submit(invitation.email)}
          >
            {text.create}
          </Button>
        </div>
      ) : (
        <LinkToCopy link={link.result.link} />
      )}
    </section>
  );
}

function LinkToCopy({ link }: { link: string }): React.JSX.Element {
  const { copied, copy } = useCopyToClipboard();
  const [copyFailed, setCopyFailed] = useState(false);
  return (
    <div className="grid gap-2">
      <Field
        label={text.label}
        error={copyFailed ? text.notCopied : undefined}
        render={(control) => (
          <Input {...control} readOnly value={link} onFocus={(event) => event.currentTarget.select()} />
        )}
      />
      <div>
        <Button
          variant="outline"
          size="sm"
          onClick={() => void copy(link).then((done) => setCopyFailed(!done))}
        >
          {copied ? <Check aria-hidden /> : <Copy aria-hidden />}
          <span aria-live="polite">{copied ? text.copied : text.copy}</span>
        </Button>
      </div>
    </div>
  );
}
