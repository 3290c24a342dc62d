/** Validates and sets the new password. Users with other sign-in methods first select which ones to keep. */
import type { SignInMethod } from '@lanternrock/contract/sign-in-methods';
import { useEffect, useRef, useState } from 'react';
import { goToConsole, useAuthNavigation } from './auth-navigation.ts';
import { isSessionEnd } from '../../api/auth-messages.ts';
import { ApiError, errorMessage, isUnanswered } from '../../api/errors.ts';
import { loadCode } from '../../api/load-code.ts';
import { hasFeature } from '../../api/runtime-config.ts';
import { loadAuthService } from './load-auth-service.ts';
import { clearPasswordSetupMarker, pathAfterSetup } from '../../session/password-setup-marker.ts';
import { queueToast } from '../../ui/queued-toasts.ts';
import type { ToastTexts } from '../../ui/toast.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import { useUncontrolledForm } from '../../forms/use-uncontrolled-form.ts';
import type { KeepMethodsStep } from './keep-methods-step.tsx';

/** Message for a session that was not created from an email and so does not prove ownership of the mailbox. */
const notAuthorizedMessage = (email: string): string =>
  `Open the link in the invitation email to ${email} and set your password there. If you cannot find it, ask an administrator to send it again.`;

/** Message for a session that the service ends with the link from which it was created. */
const linkEndedMessage =
  'This link no longer works: it was revoked or replaced by a newer one, or your session has ended. Request a new link with "Forgot password?", or ask an administrator for a new invitation.';

/** The way out of a session in which no password can be set; null if another password can succeed. */
const findUnusableMessage = (error: ApiError, email: string): string | null => {
  if (isSessionEnd(error)) return linkEndedMessage;
  if (error.code === 'no_authorization') return notAuthorizedMessage(email);
  return error.code === 'user_banned' || error.code === 'user_not_found' ? error.message : null;
};

/** Message for a password that an earlier attempt without a response can have set. */
const perhapsSetMessage = 'An earlier attempt may have set this password. Sign in with it to check.';

/** The user selects the sign-in methods to keep. */
interface Choice {
  readonly password: string;
  readonly methods: readonly SignInMethod[];
  /** The code of the step loads only for users with other sign-in methods. */
  readonly Step: typeof KeepMethodsStep;
}

interface SessionHandlers {
  /** The service requires a second factor first. */
  readonly onSecondFactor: () => void;
  /** A session that cannot set the password has been removed. */
  readonly onSignedOut: () => void;
}

/** Returns the form for the password, the choice of sign-in methods to keep, and the submission of both. */
export function useNewPassword(email: string, { onSecondFactor, onSignedOut }: SessionHandlers) {
  const { productName } = useAuthNavigation();
  /** Null while the form is shown. */
  const [choice, setChoice] = useState<Choice | null>(null);
  const wasUnanswered = useRef(false);
  const failed = (error: unknown): ToastTexts => {
    if (!(error instanceof ApiError))
      return { title: 'Error', description: errorMessage(error) || 'Failed to set password' };
    if (error.code === 'insufficient_aal') onSecondFactor();
    const title = 'Error setting password';
    if (error.code === 'same_password' && wasUnanswered.current)
      return { title, description: perhapsSetMessage };
    const unusable = findUnusableMessage(error, email);
    if (unusable === null) return { title, description: error.message };
    // The sign-in form is the way out.
    void loadAuthService()
      .then((service) => service.endLocalSession({ revoke: true }))
      .then(onSignedOut);
    return { title, description: unusable };
  };
  const save = useSubmit<{ password: string; keep?: readonly string[] }>({
    action: 'set-password',
    leaves: true,
    send: async ({ password, keep }) => (await loadAuthService()).setPassword(password, keep),
    done: () => {
      const path = pathAfterSetup();
      clearPasswordSetupMarker();
      queueToast({
        action: 'set-password',
        title: 'Password set successfully',
        description: `Welcome to ${productName}!`,
      });
      goToConsole(path);
    },
    failed: (error) => {
      wasUnanswered.current ||= isUnanswered(error);
      return failed(error);
    },
  });
  const form = useUncontrolledForm<{ password: string; next: Choice | null }>({
    action: 'set-password',
    send: async (input) => {
      const service = await loadAuthService();
      const { password } = service.validateNewPassword(input);
      const methods = hasFeature('extensions') ? await service.signInMethods() : [];
      if (methods.length === 0) return { password, next: null };
      const { KeepMethodsStep: Step } = await loadCode(() => import('./keep-methods-step.tsx'));
      return { password, next: { password, methods, Step } };
    },
    done: ({ password, next }) => {
      if (next === null) void save.submit({ password });
      else setChoice(next);
    },
    failed,
  });
  // Otherwise the user who signs in next could get the password.
  useEffect(() => form.cancel, [form.cancel]);
  useEffect(() => save.cancel, [save.cancel]);
  return { form, save, choice, goBack: () => setChoice(null) };
}
