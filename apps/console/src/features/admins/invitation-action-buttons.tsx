/**
 * The buttons for the actions of an invitation, such as *Remove administrator*, with their confirmation
 * dialog.
 */
import type { InvitationRow } from '@lanternrock/contract/rows';
import { useRef, useState } from 'react';
import { useSession } from '../../session/use-session.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useLastDefined } from '../../ui/use-last-defined.ts';
import { useAdminAction } from './invitation-queries.ts';
import { invitationActionsFor } from './invitation-status.tsx';
import { invitationActions, invitationText, type InvitationAction } from './invitation-text.ts';

interface AdminActionButtonsProps {
  invitation: InvitationRow;
  /** The invited user has a verified second factor. */
  hasSecondFactor: boolean;
}

export function InvitationActionButtons({
  invitation,
  hasSecondFactor,
}: AdminActionButtonsProps): React.JSX.Element {
  const [confirming, setConfirming] = useState<InvitationAction>();
  const last = useLastDefined(confirming);
  const group = useRef<HTMLDivElement>(null);
  const { pending, submit, cancel } = useAdminAction();
  const session = useSession();
  const isOwn =
    session.status === 'signed-in' && session.session.user.email === invitation.email.toLowerCase();
  const ownText = last === 'remove' && isOwn ? invitationText.removeSelf : null;
  // Administrators change their own second factors on their security page.
  const actions = invitationActionsFor(invitation.status, hasSecondFactor && !isOwn);
  return (
    <>
      {actions.length > 0 && (
        <div
          ref={group}
          role="group"
          aria-label={invitationText.actions}
          tabIndex={-1}
          className="flex flex-wrap gap-2 border-t border-border pt-4"
        >
          {actions.map((action) => (
            <Button
              key={action}
              variant={action === 'restore' ? 'outline' : 'outlineDestructive'}
              size="sm"
              data-admin-action={action}
              onClick={() => setConfirming(action)}
            >
              {invitationActions[action].label}
            </Button>
          ))}
        </div>
      )}
      {last !== undefined && (
        <ConfirmDialog
          open={confirming !== undefined}
          title={ownText?.dialogTitle ?? invitationActions[last].dialogTitle(invitation.full_name)}
          description={
            ownText?.dialogDescription ?? invitationActions[last].dialogDescription(invitation.email)
          }
          confirmLabel={invitationActions[last].confirmLabel}
          cancelLabel={invitationText.cancel}
          destructive={last !== 'restore'}
          pending={pending}
          pendingLabel={invitationActions[last].pendingLabel}
          finalFocus={() =>
            buttonFor(last) ?? focusOn(group.current ?? document.querySelector('[data-sheet]'))
          }
          onCancel={() => {
            cancel();
            setConfirming(undefined);
          }}
          onConfirm={() =>
            void submit({ action: last, row: invitation }).then(() => setConfirming(undefined))
          }
        />
      )}
    </>
  );
}

/**
 * Focuses the element.
 *
 * @returns false, so that the dialog does not move the focus to the first button of the group
 */
const focusOn = (element: HTMLElement | null): false => {
  element?.focus();
  return false;
};

/**
 * Returns null after the action is done. No other button may get the focus, because a second Enter would
 * press it.
 */
const buttonFor = (action: InvitationAction): HTMLElement | null =>
  document.querySelector<HTMLElement>(`[data-admin-action="${action}"]`);
