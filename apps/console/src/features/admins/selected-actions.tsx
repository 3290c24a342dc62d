/** The actions on the selected invitations, in the View menu: resend, and revoke after a confirmation. */
import type { InvitationRow } from '@lanternrock/contract/rows';
import { useState } from 'react';
import { hasFeature } from '../../api/runtime-config.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { adminsText } from './admins-text.ts';
import type { InvitationRun } from './use-invitation-run.ts';

const text = adminsText.selected;

/** Number of names in the confirmation. */
const shownNames = 5;

interface SelectedActionsProps {
  selected: readonly InvitationRow[];
  run: InvitationRun;
  /** Called when a run starts, which shows its progress in the page. */
  onStart: () => void;
}

export function SelectedActions({ selected, run, onStart }: SelectedActionsProps): React.JSX.Element {
  const [confirming, setConfirming] = useState(false);
  const count = selected.length;
  const start = (action: 'resend' | 'revoke'): void => {
    onStart();
    run.start({ action, invitations: selected });
  };
  if (count === 0) return <p className="text-xs text-muted">{text.none}</p>;
  return (
    <div className="grid grid-cols-2 gap-2">
      <Button variant="outline" size="sm" pending={run.pending} onClick={() => start('resend')}>
        {text.resend(count)}
      </Button>
      {hasFeature('extensions') && (
        <Button
          variant="outlineDestructive"
          size="sm"
          disabled={run.pending}
          onClick={() => setConfirming(true)}
        >
          {text.revoke(count)}
        </Button>
      )}
      <ConfirmDialog
        open={confirming}
        title={text.revokeTitle(count)}
        description={text.revokeDescription(
          selected.slice(0, shownNames).map(({ full_name: name }) => name),
          count,
        )}
        confirmLabel={text.revokeConfirm(count)}
        onCancel={() => setConfirming(false)}
        onConfirm={() => start('revoke')}
      />
    </div>
  );
}
