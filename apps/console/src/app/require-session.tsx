/** Shows its children to signed-in users only. Guards /admin/*. */
import CloudAlert from 'lucide-react/icons/cloud-exclamation-point';
import { type ReactNode, useEffect, useSyncExternalStore } from 'react';
import { signInUrl } from '../session/next-path.ts';
import { openSignIn } from '../session/open-sign-in.ts';
import { setPasswordPath } from '../session/password-setup-marker.ts';
import { signInAgain } from '../session/sign-out.ts';
import { useSession } from '../session/use-session.tsx';
import { retrySession, type SessionState } from '../session/session-store.ts';
import { Button } from '../ui/button.tsx';
import { queueToast } from '../ui/queued-toasts.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import type { RequiredCredential } from './sign-in-again-dialog.tsx';
import { lazyOverlay } from '../ui/lazy-overlay.tsx';
import { hasUnsavedChanges, subscribeToUnsavedChanges } from '../forms/unsaved-changes.ts';
import { LoadingScreen } from '../ui/spinner.tsx';

const SignInAgainDialog = lazyOverlay(
  async () => (await import('./sign-in-again-dialog.tsx')).SignInAgainDialog,
);

/** Returns what the user must enter to continue: nothing, a credential in a dialog over the page, or a full sign-in. */
const requiredAction = (
  session: Extract<SessionState, { status: 'signed-in' | 'signed-out' }>,
  unsaved: boolean,
): 'none' | RequiredCredential | 'redirect' => {
  if (session.status === 'signed-out') return session.lost && unsaved ? 'password' : 'redirect';
  if (session.step === 'ready') return 'none';
  return session.step === 'second-factor' && unsaved ? 'second-factor' : 'redirect';
};

interface RequireSessionProps {
  children: ReactNode;
}

/**
 * Shows a spinner until the session is known. If the session ends while a form has unsaved input, the
 * page stays and a dialog requests the password. Otherwise the sign-in screen opens, with the current
 * URL as its `next` parameter.
 */
export function RequireSession({ children }: RequireSessionProps): React.JSX.Element {
  const session = useSession();
  const unsaved = useSyncExternalStore(subscribeToUnsavedChanges, hasUnsavedChanges);
  if (session.status === 'loading') return <LoadingScreen />;
  if (session.status === 'failed') {
    return (
      <main className="grid min-h-svh place-content-center">
        <ErrorState
          title="Your session could not be checked"
          description={session.error.message}
          onRetry={() => void retrySession()}
          retrying={false}
        >
          <Button variant="outline" size="sm" onClick={() => void signInAgain()}>
            Sign in again
          </Button>
        </ErrorState>
      </main>
    );
  }
  if (session.status === 'signed-out' && session.waits === true) {
    return (
      <main className="grid min-h-svh place-content-center">
        <EmptyState
          icon={<CloudAlert />}
          title="You are signed out in this browser"
          description="The service cannot be reached. The sign-in page opens when the service is reachable again."
        />
      </main>
    );
  }
  const user = session.status === 'signed-in' ? session.session.user : session.last;
  const action = requiredAction(session, unsaved);
  if (user !== null && action !== 'redirect') {
    return (
      <>
        {children}
        {action !== 'none' && <SignInAgainDialog open email={user.email ?? ''} credential={action} />}
      </>
    );
  }
  if (session.status === 'signed-in') {
    return <RedirectToSignIn to={session.step === 'set-password' ? setPasswordPath : '/auth'} lost={false} />;
  }
  const path = session.lost ? signInUrl(location.pathname + location.search) : '/auth';
  return <RedirectToSignIn to={path} lost={session.lost} />;
}

/** Opens the sign-in document. The full load discards all data in memory. */
function RedirectToSignIn({ to, lost }: { to: string; lost: boolean }): React.JSX.Element {
  useEffect(() => {
    if (lost) {
      // Not an error toast, because the user may have signed out in another tab.
      queueToast({
        action: 'sign-in',
        title: 'Your session has ended',
        description: 'Sign in again to continue where you left off. If you cannot, ask an administrator.',
        persistent: true,
      });
    }
    // The session can end offline, in another tab.
    const redirect = (): void => void openSignIn(to, lost ? undefined : true);
    redirect();
    // The Back button cancels a navigation that is still loading.
    addEventListener('popstate', redirect);
    return () => removeEventListener('popstate', redirect);
  }, [to, lost]);
  return <LoadingScreen />;
}
