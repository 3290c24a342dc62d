/** Sign-in form. Its inputs are uncontrolled, so that input from before hydration is kept. */
import Fingerprint from 'lucide-react/icons/fingerprint-pattern';
import { useEffect, useRef, useState } from 'react';
import { hasFeature } from '../../api/runtime-config.ts';
import { type SubmitOptions, useSubmit } from '../../forms/use-submit.ts';
import { loadAuthService } from './load-auth-service.ts';
import type { SessionStep } from '../../session/required-step.ts';
import { AuthField, AuthForm, EmailField } from './auth-form.tsx';
import { AuthHeading } from './auth-frame.tsx';
import { queueToast } from '../../ui/queued-toasts.ts';
import { Button } from '../../ui/button.tsx';
import { dismissErrorToasts } from '../../ui/toast.ts';
import { useUncontrolledForm } from '../../forms/use-uncontrolled-form.ts';

interface SignInFormProps {
  /** False until it is known that there is no session. */
  ready: boolean;
  /** Initial value, shared with the reset form. */
  email: string;
  onEmail: (email: string) => void;
  onForgot: () => void;
  onSignedIn: (step: SessionStep) => void;
}

const preload = (): void => void loadAuthService().catch(() => undefined);

/** Queues the welcome toast for the next document. */
export const queueWelcomeToast = (): void => {
  queueToast({ action: 'sign-in', title: 'Welcome back!', description: "You've successfully signed in." });
};

export function SignInForm(props: SignInFormProps): React.JSX.Element {
  const { ready, email, onEmail, onForgot, onSignedIn } = props;
  const emailInput = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // Not with touch, where the focus opens a keyboard over the form.
    if (ready && document.activeElement === document.body && matchMedia('(pointer: fine)').matches)
      emailInput.current?.focus();
  }, [ready]);
  const afterSignIn = {
    action: 'sign-in',
    failed: 'Sign in failed',
    leaves: true,
    done: (step: SessionStep): void => {
      if (step === 'ready') queueWelcomeToast();
      dismissErrorToasts();
      onSignedIn(step);
    },
  };
  const { errors, pending, onSubmit } = useUncontrolledForm({
    ...afterSignIn,
    send: async (input) => {
      const service = await loadAuthService();
      const values = service.validateSignIn(input);
      return service.signIn(values.email, values.password);
    },
  });
  return (
    <>
      <AuthHeading title="Welcome Back">Sign in to continue.</AuthHeading>
      <AuthForm onSubmit={onSubmit} onFocus={preload}>
        <EmailField error={errors['email']} ref={emailInput} defaultValue={email} />
        <AuthField
          label="Password"
          error={errors['password']}
          name="password"
          type="password"
          autoComplete="current-password"
        />
        <Button type="submit" pending={pending} pendingLabel="Signing in..." size="lg" className="mt-1">
          Sign In
        </Button>
        <PasskeyButton {...afterSignIn} />
        <Button
          variant="link"
          size="inline"
          className="justify-self-center"
          onClick={() => {
            onEmail(emailInput.current?.value ?? '');
            dismissErrorToasts();
            onForgot();
          }}
        >
          Forgot password?
        </Button>
      </AuthForm>
    </>
  );
}

/**
 * Signs in with a passkey. Part of the prerendered HTML, so that hydration causes no layout shift. Removed if the backend or the
 * browser does not support passkeys.
 */
function PasskeyButton(options: Omit<SubmitOptions<void, SessionStep>, 'send'>): React.JSX.Element | null {
  const [usable, setUsable] = useState(true);
  useEffect(
    // Without https browsers hide the interface. A press then explains it.
    () => setUsable(hasFeature('passkeys') && ('PublicKeyCredential' in window || !isSecureContext)),
    [],
  );
  const { pending, submit } = useSubmit<void, SessionStep>({
    ...options,
    send: async () => (await loadAuthService()).signInWithPasskey(),
  });
  if (!usable) return null;
  return (
    <Button
      variant="outline"
      size="lg"
      pending={pending}
      pendingLabel="Waiting for your passkey..."
      onClick={() => void submit()}
    >
      <Fingerprint aria-hidden />
      Use a passkey
    </Button>
  );
}
