/** Asks before a sign-out discards unsaved input. */
import { cancelSignOut, signOut, useSignOut } from '../../session/sign-out.ts';
import { LazyConfirmDialog } from '../../ui/lazy-overlays.ts';

export function SignOutQuestion(): React.JSX.Element {
  return (
    <LazyConfirmDialog
      open={useSignOut() === 'asking'}
      title="Sign out now?"
      description="Unsaved input on this page is lost, and running work stops."
      confirmLabel="Sign out"
      onConfirm={() => void signOut()}
      onCancel={cancelSignOut}
    />
  );
}
