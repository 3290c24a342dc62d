/** Confirms a navigation to another screen that discards unsaved input. */
import { useBlocker } from '@tanstack/react-router';
import { LazyConfirmDialog } from '../ui/lazy-overlays.ts';
import { hasUnsavedChanges } from './unsaved-changes.ts';

export function UnsavedChangesDialog(): React.JSX.Element {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && hasUnsavedChanges(),
    // `unsaved-changes.ts` handles closing and reloading the tab.
    enableBeforeUnload: false,
    withResolver: true,
  });
  const blocked = blocker.status === 'blocked';
  return (
    <LazyConfirmDialog
      open={blocked}
      title="Discard unsaved changes?"
      description="This form has unsaved changes. They are lost if you leave the page."
      confirmLabel="Discard changes"
      cancelLabel="Keep editing"
      onConfirm={() => blocker.proceed?.()}
      onCancel={() => blocker.reset?.()}
    />
  );
}
