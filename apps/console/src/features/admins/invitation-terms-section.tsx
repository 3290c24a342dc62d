/** What the next email of an invitation contains, above its Resend button. */
import type { InvitationTerms } from '@lanternrock/contract/invitation-terms';
import type { InvitationRow } from '@lanternrock/contract/rows';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { lazyOverlay } from '../../ui/lazy-overlay.tsx';
import { TimeWithTooltip } from '../../ui/time-with-tooltip.tsx';
import { termsText as text } from './invitation-text.ts';

const TermsDialog = lazyOverlay(
  async () => (await import('./invitation-terms-dialog.tsx')).InvitationTermsDialog,
);

interface InvitationTermsSectionProps {
  invitation: InvitationRow;
  terms: InvitationTerms;
}

export function InvitationTermsSection({
  invitation,
  terms,
}: InvitationTermsSectionProps): React.JSX.Element {
  const [editing, setEditing] = useState(false);
  const { note, expires_at: until, next_expires_at: next } = terms;
  return (
    <section aria-labelledby="invitation-terms" className="grid gap-2 text-sm">
      <h3 id="invitation-terms" className="font-semibold">
        {text.title}
      </h3>
      <p>{note === null ? text.withoutNote : text.withNote}</p>
      {note !== null && (
        <p
          dir="auto"
          translate="no"
          className="border-s-2 border-border ps-3 whitespace-pre-line wrap-anywhere"
        >
          {note}
        </p>
      )}
      <p>
        {text.expires} <TimeWithTooltip value={next} relative="due" />.
      </p>
      {until !== null && until !== next && <p className="text-muted">{text.passed}</p>}
      <div>
        <Button
          variant="outline"
          size="sm"
          onClick={() => setEditing(true)}
          onPointerEnter={TermsDialog.preload}
          onFocus={TermsDialog.preload}
        >
          {text.edit}
        </Button>
      </div>
      <TermsDialog open={editing} invitation={invitation} terms={terms} onClose={() => setEditing(false)} />
    </section>
  );
}
