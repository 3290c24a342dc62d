/** /auth: sign in, ask for a reset, or be sent on when somebody is signed in already. */
import { useCallback, useEffect, useState } from 'react';
import { goToConsole, useAuthNavigation } from './auth-navigation.ts';
import { errorMessage } from '../../api/errors.ts';
import { loadAuthService } from './load-auth-service.ts';
import { homePath, safeNextPath } from '../../session/next-path.ts';
import type { SessionStep } from '../../session/session-check.ts';
import type { SecondFactorStep } from './second-factor-step.tsx';
import { LoadingScreen } from '../../ui/loading-screen.tsx';
import {
  hasStoredSession,
  currentStorageKey,
  type SignInNote,
  takeSignInNote,
} from '../../api/stored-session.ts';
import { showQueuedToasts } from '../../ui/queued-toasts.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import type { ResetCode } from './reset-code.tsx';
import { ResetForm } from './reset-form.tsx';
import { SignInForm, welcome } from './sign-in-form.tsx';

type View =
  /** In the prerendered HTML, and until React has taken over: the boot script says which part shows. */
  | { readonly kind: 'first' }
  | { readonly kind: 'checking' }
  | { readonly kind: 'form' }
  | { readonly kind: 'reset' }
  | { readonly kind: 'reset-code'; readonly Form: typeof ResetCode }
  /** Its code is loaded only for people who have set up a second factor. */
  | { readonly kind: 'second-factor'; readonly Step: typeof SecondFactorStep }
  | { readonly kind: 'failed'; readonly message: string };

const outageText = 'The service could not confirm your session. Try again.';

interface AuthScreenProps {
  /** True while the document is still as prerendered. */
  first: boolean;
}

export function AuthScreen({ first }: AuthScreenProps): React.JSX.Element {
  const [view, setView] = useState<View>({ kind: 'first' });
  const [email, setEmail] = useState('');
  const { follow, check } = useForwarding(first, setView);
  const showsForm = view.kind === 'first' || view.kind === 'form';
  return (
    <>
      <div className={view.kind === 'first' ? 'first-view-form' : undefined}>
        {showsForm && (
          <SignInForm
            email={email}
            onEmail={setEmail}
            onForgot={() => setView({ kind: 'reset' })}
            onSignedIn={follow}
          />
        )}
      </div>
      <div className={view.kind === 'first' ? 'first-view-checking' : undefined}>
        {(view.kind === 'first' || view.kind === 'checking') && <LoadingScreen />}
      </div>
      {view.kind === 'reset' && (
        <ResetForm
          email={email}
          onEmail={setEmail}
          onCode={(Form) => setView({ kind: 'reset-code', Form })}
          onBack={() => setView({ kind: 'form' })}
        />
      )}
      {view.kind === 'reset-code' && <view.Form email={email} onBack={() => setView({ kind: 'reset' })} />}
      {view.kind === 'second-factor' && (
        <view.Step
          leaveLabel="Use another account"
          onVerified={() => {
            welcome();
            follow('ready');
          }}
          onLeave={() => setView({ kind: 'form' })}
        >
          Your account asks for a second step.
        </view.Step>
      )}
      {view.kind === 'failed' && (
        <ErrorState
          title="Your session could not be checked"
          description={view.message}
          onRetry={() => void check()}
          retrying={false}
        />
      )}
    </>
  );
}

/** Sends a signed-in user on, and shows the view for everything else. */
function useForwarding(first: boolean, setView: (view: View) => void) {
  const { go } = useAuthNavigation();
  const follow = useCallback(
    (step: SessionStep) => {
      if (step === 'ready')
        goToConsole(safeNextPath(new URLSearchParams(location.search).get('next')) ?? homePath);
      else if (step === 'set-password') go('/auth/set-password?setup=true');
      else {
        showQueuedToasts();
        setView({ kind: 'checking' });
        import('./second-factor-step.tsx').then(
          (loaded) => setView({ kind: 'second-factor', Step: loaded.SecondFactorStep }),
          (error: unknown) => setView({ kind: 'failed', message: errorMessage(error) }),
        );
      }
    },
    [go, setView],
  );

  /** The user stays in this document, so messages that waited for the other one show here. */
  const stay = useCallback(
    (next: View) => {
      showQueuedToasts();
      setView(next);
    },
    [setView],
  );

  const check = useCallback(
    async (note: SignInNote | null = null) => {
      setView({ kind: 'checking' });
      try {
        const found = await (await loadAuthService()).checkSession();
        if (found.kind === 'none') stay({ kind: 'form' });
        else if (found.kind === 'failed') stay({ kind: 'failed', message: found.error.message });
        // The page that would come next has just failed; it opens again when the user asks for it.
        else if (note === 'outage' && found.step === 'set-password')
          stay({ kind: 'failed', message: outageText });
        else follow(found.step);
      } catch (error) {
        stay({ kind: 'failed', message: errorMessage(error) });
      }
    },
    [follow, setView, stay],
  );

  useEffect(() => {
    if (first) return undefined;
    const note = takeSignInNote();
    if (note === 'unusable' || !hasStoredSession()) stay({ kind: 'form' });
    else void check(note);
    // A user signed in in another tab: this one follows.
    const onStorage = (event: StorageEvent): void => {
      if (event.key === currentStorageKey() && hasStoredSession()) void check();
    };
    addEventListener('storage', onStorage);
    return () => removeEventListener('storage', onStorage);
  }, [first, check, stay]);

  return { follow, check };
}
