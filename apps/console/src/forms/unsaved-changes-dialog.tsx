/** Registers a form with unsaved input, and confirms a navigation to another screen that discards it. */
import { useBlocker } from '@tanstack/react-router';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { hasUnsavedChanges, useUnsavedChanges } from './unsaved-changes.ts';

/** Part of each form, because the code is not in the initial bundle. */
export function UnsavedChangesDialog({ dirty }: { dirty: boolean }): React.JSX.Element {
  useUnsavedChanges(dirty);
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && hasUnsavedChanges(),
    disabled: !dirty,
    // `unsaved-changes.ts` handles closing and reloading the tab.
    enableBeforeUnload: false,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      open={blocker.status === 'blocked'}
      title="Discard unsaved changes?"
      description="This form has unsaved changes. They are lost if you leave the page."
      confirmLabel="Discard changes"
      cancelLabel="Keep editing"
      onConfirm={() => blocker.proceed?.()}
      onCancel={() => blocker.reset?.()}
    />
  );
}
