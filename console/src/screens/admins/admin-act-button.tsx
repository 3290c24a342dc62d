/** 'Revoke invitation', 'Remove administrator' or 'Restore', whichever fits; asks by name first. */
import type { InvitationRow } from '@lanternrock/contract/rows';
import { useState } from 'react';
import { useSession } from '../../session.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useAdminAct } from './history-queries.ts';
import { actOf, adminActs, panelText, type AdminAct } from './panel-text.ts';

export function AdminActButton({ invitation }: { invitation: InvitationRow }): React.JSX.Element {
  const fitting = actOf(invitation.status);
  const [asked, setAsked] = useState<AdminAct | null>(null);
  // The question keeps its words while it fades out, when the answer has changed the status already.
  const [last, setLast] = useState<AdminAct | null>(null);
  const mutation = useAdminAct();
  const text = last === null ? null : adminActs[last];
  const session = useSession();
  const isOwn =
    session.status === 'signed-in' && session.session.user.email === invitation.email.toLowerCase();
  const self = last === 'remove' && isOwn ? panelText.removeSelf : null;
  return (
    <>
      {fitting !== null && (
        <div className="border-t border-border pt-4">
          <Button
            variant="outline"
            size="sm"
            data-admin-act
            className={fitting === 'restore' ? undefined : 'text-destructive'}
            onClick={() => {
              setLast(fitting);
              setAsked(fitting);
            }}
          >
            {adminActs[fitting].label}
          </Button>
        </div>
      )}
      {text !== null && last !== null && (
        <ConfirmDialog
          open={asked !== null}
          title={self?.question ?? text.question(invitation.full_name)}
          description={self?.consequence ?? text.consequence(invitation.email)}
          confirmLabel={text.confirm}
          cancelLabel={panelText.cancel}
          destructive={last !== 'restore'}
          pending={mutation.isPending}
          pendingLabel={text.pending}
          finalFocus={() => document.querySelector<HTMLElement>('[data-admin-act]') ?? true}
          onCancel={() => setAsked(null)}
          onConfirm={() =>
            mutation.mutate({ act: last, row: invitation }, { onSettled: () => setAsked(null) })
          }
        />
      )}
    </>
  );
}
