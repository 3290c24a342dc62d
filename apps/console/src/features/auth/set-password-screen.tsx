/** /auth/set-password: last step of an invitation or a password reset. */
import { useCallback, useEffect, useState } from 'react';
import { goToConsole, useAuthNavigation } from './auth-navigation.ts';
import { ApiError, isOutage, errorMessage } from '../../api/errors.ts';
import { loadCode } from '../../api/load-code.ts';
import { leaveSignInNote } from '../../api/stored-session.ts';
import { loadAuthService } from './load-auth-service.ts';
import { homePath } from '../../session/next-path.ts';
import {
  isPasswordSetupRequested,
  clearPasswordSetupMarker,
  hasPasswordSetupMarker,
} from '../../session/password-setup-marker.ts';
import type { SecondFactorStep } from './second-factor-step.tsx';
import { LoadingScreen } from '../../ui/spinner.tsx';
import { queueToast } from '../../ui/queued-toasts.ts';
import { toast } from '../../ui/toast.ts';
import { NewPasswordForm } from './new-password-form.tsx';

export const validatingText = 'Validating your invitation...';

type Entry =
  | { readonly kind: 'invalid' }
  /** A session is stored, but the service could not confirm it. */
  | { readonly kind: 'outage'; readonly message: string }
  | { readonly kind: 'not-requested' }
  | { readonly kind: 'second-factor' | 'password'; readonly email: string };

const invalidLinkToast = {
  action: 'redeem-link',
  title: 'Invalid or expired link',
  description: 'Please request a new invitation.',
  variant: 'destructive',
} as const;

const failedEntry = (error: unknown): Entry =>
  error instanceof ApiError && isOutage(error)
    ? { kind: 'outage', message: error.message }
    : { kind: 'invalid' };

/** Checks whether the user may set a password. Fetches the user, because the stored session may be revoked. */
const determineEntry = async (): Promise<Entry> => {
  const service = await loadAuthService();
  const found = await service.checkSession();
  if (found.kind === 'failed') throw found.error;
  if (found.kind === 'none') return { kind: 'invalid' };
  const user = await service.fetchUser();
  const isRequested =
    isPasswordSetupRequested(location.search) || hasPasswordSetupMarker() || found.step === 'set-password';
  if (!isRequested) return { kind: 'not-requested' };
  const { access_token } = found.session;
  const kind = service.needsSecondFactor(user, access_token) ? 'second-factor' : 'password';
  return { kind, email: user.email ?? '' };
};

type View =
  | { readonly kind: 'checking' }
  /** The code of the step loads only for users with a second factor. */
  | { readonly kind: 'second-factor'; readonly email: string; readonly Step: typeof SecondFactorStep }
  | { readonly kind: 'password'; readonly email: string };

/** Checks the session once, and then shows a step, or opens another page for a user who cannot set a password. */
function useEntry() {
  const { go } = useAuthNavigation();
  const [view, setView] = useState<View>({ kind: 'checking' });

  const returnToSignIn = useCallback(() => {
    clearPasswordSetupMarker();
    leaveSignInNote('unusable');
    go('/auth');
  }, [go]);

  const showSecondFactor = useCallback(
    (email: string): void => {
      loadCode(() => import('./second-factor-step.tsx')).then(
        (loaded) => setView({ kind: 'second-factor', email, Step: loaded.SecondFactorStep }),
        (error: unknown) => {
          toast({
            action: 'load-second-factor',
            title: 'Error',
            description: errorMessage(error),
            variant: 'destructive',
          });
          returnToSignIn();
        },
      );
    },
    [returnToSignIn],
  );

  useEffect(() => {
    let unmounted = false;
    const open = (entry: Entry): void => {
      if (unmounted) return;
      if (entry.kind === 'password') setView({ kind: 'password', email: entry.email });
      else if (entry.kind === 'second-factor') showSecondFactor(entry.email);
      else if (entry.kind === 'not-requested') goToConsole(homePath);
      else if (entry.kind === 'outage') {
        // Queue the toasts, because the sign-in screen redirects a signed-in user to the console document.
        queueToast(invalidLinkToast);
        queueToast({
          action: 'check-session',
          title: 'Your session could not be checked',
          description: entry.message,
          variant: 'destructive',
        });
        leaveSignInNote('outage');
        go('/auth');
      } else {
        toast(invalidLinkToast);
        returnToSignIn();
      }
    };
    void determineEntry().catch(failedEntry).then(open);
    return () => {
      unmounted = true;
    };
  }, [go, returnToSignIn, showSecondFactor]);

  return { view, setView, showSecondFactor, returnToSignIn };
}

export function SetPasswordScreen(): React.JSX.Element {
  const { view, setView, showSecondFactor, returnToSignIn } = useEntry();
  if (view.kind === 'checking') return <LoadingScreen text={validatingText} />;
  const { email } = view;
  if (view.kind === 'password') {
    return (
      <NewPasswordForm
        email={email}
        onSecondFactor={() => showSecondFactor(email)}
        onSignedOut={returnToSignIn}
      />
    );
  }
  return (
    <view.Step
      signOutLabel="Back to sign in"
      onVerified={() => setView({ kind: 'password', email })}
      onSignedOut={returnToSignIn}
    >
      {`Verify your second factor before you set a password for ${email}.`}
    </view.Step>
  );
}
