/** Validates and sets the new password. Users with other sign-in methods first select which ones to keep. */
import type { SignInMethod } from '@lanternrock/contract/sign-in-methods';
import { useRef, useState } from 'react';
import { goToConsole, useAuthNavigation } from './auth-navigation.ts';
import { type ApiError, errorMessage } from '../../api/errors.ts';
import { hasFeature } from '../../api/runtime-config.ts';
import { type AuthService, loadAuthService } from './load-auth-service.ts';
import { homePath } from '../../session/next-path.ts';
import { clearPasswordSetupMarker } from '../../session/password-setup-marker.ts';
import { queueToast } from '../../ui/queued-toasts.ts';
import { toast } from '../../ui/toast.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import type { KeepMethodsStep } from './keep-methods-step.tsx';

interface Errors {
  password?: string;
  confirmPassword?: string;
}

/** Message for a session that was not created from an email and so does not prove ownership of the mailbox. */
const openInvitation = (email: string): string =>
  `Open the link in the invitation email to ${email} and set your password there. If you cannot find it, ask an administrator to send it again.`;

export const showError = (error: unknown): void =>
  void toast({
    action: 'set-password',
    title: 'Error',
    description: errorMessage(error) || 'Failed to set password',
    variant: 'destructive',
  });

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

/** `store` resolves to true if the console opens. `reject` shows the error and resolves to false. */
function useStorePassword(email: string, { onSecondFactor, onSignedOut }: SessionHandlers) {
  const { productName } = useAuthNavigation();
  const reject = async (service: AuthService, { code, message }: ApiError): Promise<false> => {
    // No password can succeed in such a session, so it is removed.
    const notAuthorized = code === 'no_authorization';
    const description = notAuthorized ? openInvitation(email) : message;
    toast({ action: 'set-password', title: 'Error setting password', description, variant: 'destructive' });
    if (code === 'insufficient_aal') onSecondFactor();
    if (notAuthorized) {
      await service.clearSession();
      onSignedOut();
    }
    return false;
  };
  const store = async (password: string, keep?: readonly string[]): Promise<boolean> => {
    const service = await loadAuthService();
    const outcome = await service.setPassword(password, keep);
    if (!outcome.ok) return reject(service, outcome.error);
    clearPasswordSetupMarker();
    queueToast({
      action: 'set-password',
      title: 'Password set successfully',
      description: `Welcome to ${productName}!`,
    });
    goToConsole(homePath);
    return true;
  };
  return { reject, store };
}

export function useNewPassword(email: string, sessionHandlers: SessionHandlers) {
  const { reject, store } = useStorePassword(email, sessionHandlers);
  const [errors, setErrors] = useState<Errors>({});
  /** Null while the form is shown. */
  const [choice, setChoice] = useState<Choice | null>(null);
  const [keptIds, setKeptIds] = useState<ReadonlySet<string>>(new Set());
  const password = useRef<HTMLInputElement>(null);
  const confirmation = useRef<HTMLInputElement>(null);

  const attempt = async (): Promise<boolean> => {
    const service = await loadAuthService();
    const checked = service.validateNewPassword({
      password: password.current?.value ?? '',
      confirmPassword: confirmation.current?.value ?? '',
    });
    setErrors(checked.ok ? {} : checked.errors);
    if (!checked.ok) {
      (checked.errors.password === undefined ? confirmation : password).current?.focus();
      return false;
    }
    const newPassword = checked.values.password;
    if (!hasFeature('sign-in-methods')) return store(newPassword);
    const listed = await service.signInMethods();
    if (!listed.ok) return reject(service, listed.error);
    if (listed.value.length === 0) return store(newPassword);
    const { KeepMethodsStep: Step } = await import('./keep-methods-step.tsx');
    setChoice({ password: newPassword, methods: listed.value, Step });
    return false;
  };

  return {
    ...useSubmit(attempt, showError),
    errors,
    password,
    confirmation,
    choice,
    keptIds,
    keep: (id: string, keep: boolean) =>
      setKeptIds((last) => new Set(keep ? [...last, id] : [...last].filter((other) => other !== id))),
    goBack: () => setChoice(null),
    storeChoice: ({ password: newPassword, methods }: Choice) =>
      store(
        newPassword,
        methods.map(({ id }) => id).filter((id) => keptIds.has(id)),
      ),
  };
}
