/** Checks and sets the new password. Users who have other sign-in methods choose first which of them stay. */
import type { SignInMethod } from '@lanternrock/contract/sign-in-methods';
import { useRef, useState } from 'react';
import { goToConsole, useAuthNavigation } from './auth-navigation.ts';
import { type BackendError, errorMessage } from '../../api/errors.ts';
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

/** The session did not come from an email, so it does not prove who owns the mailbox. */
const openInvitation = (email: string): string =>
  `Open the link in the invitation email to ${email} and set your password there. If you cannot find it, ask an administrator to send it again.`;

export const showThrown = (error: unknown): void =>
  void toast({
    action: 'set-password',
    title: 'Error',
    description: errorMessage(error) || 'Failed to set password',
    variant: 'destructive',
  });

interface Choice {
  readonly password: string;
  readonly methods: readonly SignInMethod[];
  /** Its code is loaded only for users who have other sign-in methods. */
  readonly Step: typeof KeepMethodsStep;
}

interface SessionEnds {
  /** The service asks for the second factor first. */
  readonly onSecondFactor: () => void;
  /** A session that cannot set the password has been removed. */
  readonly onLeave: () => void;
}

/** `store` resolves to true if the console opens, `reject` shows why not and resolves to false. */
function useStoring(email: string, { onSecondFactor, onLeave }: SessionEnds) {
  const { productName } = useAuthNavigation();
  const reject = async (service: AuthService, { code, message }: BackendError): Promise<false> => {
    // No password can succeed in such a session, so it is removed.
    const cannot = code === 'no_authorization';
    const description = cannot ? openInvitation(email) : message;
    toast({ action: 'set-password', title: 'Error setting password', description, variant: 'destructive' });
    if (code === 'insufficient_aal') onSecondFactor();
    if (cannot) {
      await service.clearSession();
      onLeave();
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

export function useNewPassword(email: string, sessionEnds: SessionEnds) {
  const { reject, store } = useStoring(email, sessionEnds);
  const [errors, setErrors] = useState<Errors>({});
  /** Null while the form is shown. */
  const [choice, setChoice] = useState<Choice | null>(null);
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set());
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
    const typed = checked.values.password;
    if (!hasFeature('sign-in-methods')) return store(typed);
    const listed = await service.signInMethods();
    if (!listed.ok) return reject(service, listed.error);
    if (listed.value.length === 0) return store(typed);
    const { KeepMethodsStep: Step } = await import('./keep-methods-step.tsx');
    setChoice({ password: typed, methods: listed.value, Step });
    return false;
  };

  return {
    ...useSubmit(attempt, showThrown),
    errors,
    password,
    confirmation,
    choice,
    kept,
    keep: (id: string, keep: boolean) =>
      setKept((last) => new Set(keep ? [...last, id] : [...last].filter((other) => other !== id))),
    goBack: () => setChoice(null),
    storeChoice: ({ password: typed, methods }: Choice) =>
      store(
        typed,
        methods.map(({ id }) => id).filter((id) => kept.has(id)),
      ),
  };
}
