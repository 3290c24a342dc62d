/** Asks before a navigation throws input away. */
import { useBlocker } from '@tanstack/react-router';
import { LazyConfirmDialog } from '../ui/lazy-overlays.ts';
import { hasUnsavedChanges } from './unsaved-changes.ts';

export function UnsavedChangesDialog(): React.JSX.Element {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && hasUnsavedChanges(),
    // The browser's own question is asked by unsaved-changes.ts.
    enableBeforeUnload: false,
    withResolver: true,
  });
  const blocked = blocker.status === 'blocked';
  return (
    <LazyConfirmDialog
      open={blocked}
      title="Discard unsaved changes?"
      description="You have changed this form and not saved it yet. Leaving the page discards what you entered."
      confirmLabel="Discard changes"
      cancelLabel="Keep editing"
      onConfirm={() => blocker.proceed?.()}
      onCancel={() => blocker.reset?.()}
    />
  );
}
