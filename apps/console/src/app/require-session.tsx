/** Opens /admin/* to signed-in people only (specification section 2). */
import { type ReactNode, useEffect, useSyncExternalStore } from 'react';
import { signInUrl } from '../session/next-path.ts';
import { useSession } from '../session/use-session.tsx';
import { retrySession, type SessionState } from '../session/session-store.ts';
import { queueToast } from '../ui/queued-toasts.ts';
import { ErrorState } from '../ui/error-state.tsx';
import { lazyOverlay } from '../ui/lazy-overlay.tsx';
import { hasUnsavedChanges, subscribeToUnsavedChanges } from '../forms/unsaved-changes.ts';
import { LoadingScreen } from '../ui/loading-screen.tsx';

export const SessionEndedDialog = lazyOverlay(
  async () => (await import('./session-ended-dialog.tsx')).SessionEndedDialog,
);

/** What the person has to prove before the page goes on, and whether that can happen over the page. */
const missingProof = (
  session: Extract<SessionState, { status: 'signed-in' | 'signed-out' }>,
  unsaved: boolean,
): 'nothing' | 'password' | 'second-factor' | 'elsewhere' => {
  if (session.status === 'signed-out') return session.lost && unsaved ? 'password' : 'elsewhere';
  if (session.step === 'ready') return 'nothing';
  return session.step === 'second-factor' && unsaved ? 'second-factor' : 'elsewhere';
};

interface RequireSessionProps {
  children: ReactNode;
}

/**
 * While nothing is known a spinner shows and nothing is decided. A session that ends while a form
 * holds input keeps the page and asks for the password over it; otherwise the sign-in screen opens
 * with a way back.
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
        />
      </main>
    );
  }
  const user = session.status === 'signed-in' ? session.session.user : session.last;
  const needs = missingProof(session, unsaved);
  if (user !== null && needs !== 'elsewhere') {
    return (
      <>
        {children}
        {needs !== 'nothing' && <SessionEndedDialog open email={user.email ?? ''} needs={needs} />}
      </>
    );
  }
  if (session.status === 'signed-in') {
    return (
      <Leave to={session.step === 'set-password' ? '/auth/set-password?setup=true' : '/auth'} lost={false} />
    );
  }
  const way = session.lost ? signInUrl(location.pathname + location.search) : '/auth';
  return <Leave to={way} lost={session.lost} />;
}

/** Goes to the other document, which wipes this one's memory. */
function Leave({ to, lost }: { to: string; lost: boolean }): React.JSX.Element {
  useEffect(() => {
    if (lost) {
      // No error: the user may have signed out in another tab.
      queueToast({
        action: 'sign-in',
        title: 'Your session has ended',
        description: 'Sign in again to continue where you were.',
        persistent: true,
      });
    }
    const leave = (): void => location.replace(to);
    leave();
    // Back cancels a navigation that has not arrived yet.
    addEventListener('popstate', leave);
    return () => removeEventListener('popstate', leave);
  }, [to, lost]);
  return <LoadingScreen />;
}
