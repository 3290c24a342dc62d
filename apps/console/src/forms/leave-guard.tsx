/** Shows a confirmation before unsaved input or running work is left for another screen, another page or a reload. */
import { useBlocker } from '@tanstack/react-router';
import { LeaveConfirmation, type LeaveConfirmationTexts } from './leave-confirmation.tsx';
import { hasUnsavedChanges, useUnsavedChanges } from './unsaved-changes.ts';

interface LeaveGuardProps extends Partial<LeaveConfirmationTexts> {
  active: boolean;
}

/** The texts default to those of a form. Part of each form, because the code is not in the initial bundle. */
export function LeaveGuard({
  active,
  title = 'Discard unsaved changes?',
  description = 'If you leave the page, the unsaved changes in this form are lost.',
  confirmLabel = 'Discard changes',
  cancelLabel = 'Keep editing',
}: LeaveGuardProps): React.JSX.Element {
  useUnsavedChanges(active);
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && hasUnsavedChanges(),
    disabled: !active,
    // `unsaved-changes.ts` handles closing and reloading the tab.
    enableBeforeUnload: false,
    withResolver: true,
  });
  return (
    <LeaveConfirmation
      blocker={blocker}
      title={title}
      description={description}
      confirmLabel={confirmLabel}
      cancelLabel={cancelLabel}
    />
  );
}
