/** The actions of an invitation, such as 'Remove administrator'. Each asks by name first. */
import type { InvitationRow } from '@lanternrock/contract/rows';
import { useRef, useState } from 'react';
import { useSession } from '../../session/use-session.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useAdminAction } from './invitation-queries.ts';
import { actsOf, adminActions, invitationText, type AdminAction } from './invitation-text.ts';

interface AdminActButtonsProps {
  invitation: InvitationRow;
  /** The invited user has a verified second factor. */
  hasSecondFactor: boolean;
}

export function AdminActButtons({ invitation, hasSecondFactor }: AdminActButtonsProps): React.JSX.Element {
  const [asked, setAsked] = useState<AdminAction | null>(null);
  // The question keeps its words while it fades out, when the status has changed already.
  const [last, setLast] = useState<AdminAction | null>(null);
  const group = useRef<HTMLDivElement>(null);
  const mutation = useAdminAction();
  const text = last === null ? null : adminActions[last];
  const session = useSession();
  const isOwn =
    session.status === 'signed-in' && session.session.user.email === invitation.email.toLowerCase();
  const self = last === 'remove' && isOwn ? invitationText.removeSelf : null;
  // Administrators change their own second factors on their security page.
  const acts = actsOf(invitation.status, hasSecondFactor && !isOwn);
  return (
    <>
      {acts.length > 0 && (
        <div
          ref={group}
          role="group"
          aria-label={invitationText.acts}
          tabIndex={-1}
          className="flex flex-wrap gap-2 border-t border-border pt-4"
        >
          {acts.map((act) => (
            <Button
              key={act}
              variant="outline"
              size="sm"
              data-admin-act={act}
              className={act === 'restore' ? undefined : 'text-destructive'}
              onClick={() => {
                setLast(act);
                setAsked(act);
              }}
            >
              {adminActions[act].label}
            </Button>
          ))}
        </div>
      )}
      {text !== null && last !== null && (
        <ConfirmDialog
          open={asked !== null}
          title={self?.question ?? text.question(invitation.full_name)}
          description={self?.consequence ?? text.consequence(invitation.email)}
          confirmLabel={text.confirm}
          cancelLabel={invitationText.cancel}
          destructive={last !== 'restore'}
          pending={mutation.isPending}
          pendingLabel={text.pending}
          finalFocus={() => buttonFor(last) ?? focusOn(group.current)}
          onCancel={() => setAsked(null)}
          onConfirm={() =>
            mutation.mutate({ act: last, row: invitation }, { onSettled: () => setAsked(null) })
          }
        />
      )}
    </>
  );
}

/** The dialog itself would focus the first button in the group. @returns false, so that it moves no focus */
const focusOn = (element: HTMLElement | null): false => {
  element?.focus();
  return false;
};

/** Null once the action is done. Another button must not take its focus: a second Enter would press that. */
const buttonFor = (act: AdminAction): HTMLElement | null =>
  document.querySelector<HTMLElement>(`[data-admin-act="${act}"]`);
