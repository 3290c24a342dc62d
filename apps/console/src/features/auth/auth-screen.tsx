/** /auth: sign-in, password reset and second factor. Redirects signed-in users to the console. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { goToConsole, useAuthNavigation } from './auth-navigation.ts';
import { errorMessage } from '../../api/errors.ts';
import {
  readStoredSession,
  currentStorageKey,
  type SignInNote,
  takeSignInNote,
} from '../../api/stored-session.ts';
import { loadAuthService } from './load-auth-service.ts';
import { loadSecondFactorStep } from './load-second-factor-step.ts';
import { homePath, safeNextPath } from '../../session/next-path.ts';
import { setPasswordPath } from '../../session/password-setup-marker.ts';
import type { SessionStep } from '../../session/required-step.ts';
import type { SecondFactorStep } from './second-factor-step.tsx';
import { LoadingScreen } from '../../ui/spinner.tsx';
import { showQueuedToasts } from '../../ui/queued-toasts.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import type { ResetCode } from './reset-code.tsx';
import { ResetForm } from './reset-form.tsx';
import { SignInForm, queueWelcomeToast } from './sign-in-form.tsx';

type View =
  /** Prerendered HTML, until hydration. The boot script decides which part is visible. */
  | { readonly kind: 'first' }
  | { readonly kind: 'checking' }
  | { readonly kind: 'form' }
  | { readonly kind: 'reset' }
  | { readonly kind: 'reset-code'; readonly Form: typeof ResetCode }
  | { readonly kind: 'second-factor'; readonly Step: typeof SecondFactorStep }
  | { readonly kind: 'failed'; readonly message: string };

const outageText = 'The service could not confirm your session. Try again.';

interface AuthScreenProps {
  /** True until hydration. */
  first: boolean;
}

export function AuthScreen({ first }: AuthScreenProps): React.JSX.Element {
  const [view, setView] = useState<View>({ kind: 'first' });
  const [email, setEmail] = useState('');
  const { openStep, check, leave } = useSessionRedirect(first, setView);
  const showsForm = view.kind === 'first' || view.kind === 'form';
  return (
    <>
      <div className={view.kind === 'first' ? 'first-view-form' : undefined}>
        {showsForm && (
          <SignInForm
            ready={view.kind === 'form'}
            email={email}
            onEmail={setEmail}
            onForgot={() => setView({ kind: 'reset' })}
            onSignedIn={openStep}
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
          signOutLabel="Use another account"
          onVerified={() => {
            queueWelcomeToast();
            openStep('ready');
          }}
          onSignedOut={() => setView({ kind: 'form' })}
        >
          Verify your second factor to continue.
        </view.Step>
      )}
      {view.kind === 'failed' && (
        <ErrorState
          title="Your session could not be checked"
          description={view.message}
          onRetry={() => void check()}
          retrying={false}
        >
          <Button variant="outline" size="sm" onClick={() => void leave()}>
            Sign in again
          </Button>
        </ErrorState>
      )}
    </>
  );
}

/** Redirects signed-in users and selects the view for all others. */
function useSessionRedirect(first: boolean, setView: (view: View) => void) {
  const { go } = useAuthNavigation();
  const openStep = useCallback(
    (step: SessionStep) => {
      if (step === 'ready')
        goToConsole(safeNextPath(new URLSearchParams(location.search).get('next')) ?? homePath);
      else if (step === 'set-password') go(setPasswordPath);
      else {
        showQueuedToasts();
        setView({ kind: 'checking' });
        loadSecondFactorStep().then(
          (Step) => setView({ kind: 'second-factor', Step }),
          (error: unknown) => setView({ kind: 'failed', message: errorMessage(error) }),
        );
      }
    },
    [go, setView],
  );

  /** Shows a view of this document, together with the toasts queued for the next document. */
  const showView = useCallback(
    (next: View) => {
      showQueuedToasts();
      setView(next);
    },
    [setView],
  );

  const checks = useRef(0);
  const check = useCallback(
    async (note: SignInNote | null = null) => {
      checks.current += 1;
      const own = checks.current;
      setView({ kind: 'checking' });
      try {
        const found = await (await loadAuthService()).checkSessionAndUser();
        // A later check has the newer session.
        if (own !== checks.current) return;
        if (found.kind === 'none') showView({ kind: 'form' });
        else if (found.kind === 'failed') showView({ kind: 'failed', message: found.error.message });
        // The set-password page has just failed. It opens again when the user selects Retry.
        else if (note === 'outage' && found.step === 'set-password')
          showView({ kind: 'failed', message: outageText });
        else openStep(found.step);
      } catch (error) {
        showView({ kind: 'failed', message: errorMessage(error) });
      }
    },
    [openStep, setView, showView],
  );

  /** Leaves a session that could not be checked. */
  const leave = useCallback(async () => {
    try {
      (await loadAuthService()).endLocalSession({ revoke: true });
      setView({ kind: 'form' });
    } catch (error) {
      setView({ kind: 'failed', message: errorMessage(error) });
    }
  }, [setView]);

  useEffect(() => {
    if (first) return undefined;
    const note = takeSignInNote();
    if (note === 'unusable' || readStoredSession() === null) showView({ kind: 'form' });
    else void check(note);
    // The user signed in in another tab.
    const onStorage = (event: StorageEvent): void => {
      if (event.key === currentStorageKey() && readStoredSession() !== null) void check();
    };
    addEventListener('storage', onStorage);
    return () => removeEventListener('storage', onStorage);
  }, [first, check, showView]);

  return { openStep, check, leave };
}
