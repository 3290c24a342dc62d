/** /auth/set-password: last step of an invitation or a password reset. */
import { useCallback, useEffect, useState } from 'react';
import { goToConsole, useAuthNavigation } from './auth-navigation.ts';
import { ApiError, isOutage, errorMessage } from '../../api/errors.ts';
import { leaveSignInNote } from '../../api/stored-session.ts';
import { loadAuthService } from './load-auth-service.ts';
import { loadSecondFactorStep } from './load-second-factor-step.ts';
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

const invalidLinkToast = {
  action: 'redeem-link',
  title: 'Invalid or expired link',
  description: 'Please request a new invitation.',
  variant: 'destructive',
} as const;

/** The right to set a password. */
type Access =
  | { readonly kind: 'no-session' }
  /** Signed in, but neither an invitation nor a password reset is open. */
  | { readonly kind: 'not-requested' }
  | { readonly kind: 'second-factor' | 'allowed'; readonly email: string };

/** Fetches the user, because the stored session may be revoked. */
async function checkAccess(): Promise<Access> {
  const service = await loadAuthService();
  const found = await service.checkSession();
  if (found.kind === 'failed') throw found.error;
  if (found.kind === 'none') return { kind: 'no-session' };
  const user = await service.fetchUser();
  const isRequested =
    isPasswordSetupRequested(location.search) || hasPasswordSetupMarker() || found.step === 'set-password';
  if (!isRequested) return { kind: 'not-requested' };
  const needsFactor = service.needsSecondFactor(user, found.session.access_token);
  return { kind: needsFactor ? 'second-factor' : 'allowed', email: user.email ?? '' };
}

type View =
  | { readonly kind: 'checking' }
  | { readonly kind: 'second-factor'; readonly email: string; readonly Step: typeof SecondFactorStep }
  | { readonly kind: 'password'; readonly email: string };

export function SetPasswordScreen(): React.JSX.Element {
  const { go } = useAuthNavigation();
  const [view, setView] = useState<View>({ kind: 'checking' });

  const returnToSignIn = useCallback(() => {
    clearPasswordSetupMarker();
    leaveSignInNote('unusable');
    go('/auth');
  }, [go]);

  const rejectLink = useCallback(() => {
    toast(invalidLinkToast);
    returnToSignIn();
  }, [returnToSignIn]);

  const showSecondFactor = useCallback(
    async (email: string): Promise<void> => {
      try {
        setView({ kind: 'second-factor', email, Step: await loadSecondFactorStep() });
      } catch (error) {
        toast({
          action: 'load-second-factor',
          title: 'Error',
          description: errorMessage(error),
          variant: 'destructive',
        });
        returnToSignIn();
      }
    },
    [returnToSignIn],
  );

  const openView = useCallback(
    (access: Access): void => {
      if (access.kind === 'allowed') setView({ kind: 'password', email: access.email });
      else if (access.kind === 'second-factor') void showSecondFactor(access.email);
      else if (access.kind === 'not-requested') goToConsole(homePath);
      else rejectLink();
    },
    [rejectLink, showSecondFactor],
  );

  /** The stored session stays after an outage: the sign-in screen checks it again. */
  const leave = useCallback(
    (error: unknown): void => {
      if (!(error instanceof ApiError && isOutage(error))) {
        rejectLink();
        return;
      }
      // Queue the toasts, because the sign-in screen redirects a signed-in user to the console document.
      queueToast(invalidLinkToast);
      queueToast({
        action: 'check-session',
        title: 'Your session could not be checked',
        description: error.message,
        variant: 'destructive',
      });
      leaveSignInNote('outage');
      go('/auth');
    },
    [go, rejectLink],
  );

  useEffect(() => {
    let unmounted = false;
    checkAccess().then(
      (access) => {
        if (!unmounted) openView(access);
      },
      (error: unknown) => {
        if (!unmounted) leave(error);
      },
    );
    return () => {
      unmounted = true;
    };
  }, [leave, openView]);

  if (view.kind === 'checking') return <LoadingScreen text={validatingText} />;
  const { email } = view;
  if (view.kind === 'password') {
    return (
      <NewPasswordForm
        email={email}
        onSecondFactor={() => void showSecondFactor(email)}
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
