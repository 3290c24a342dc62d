/** Sign-in form. Its inputs are uncontrolled, so that input from before hydration is kept. */
import { useRef, useState } from 'react';
import { errorMessage } from '../../api/errors.ts';
import { loadAuthService } from './load-auth-service.ts';
import type { SessionStep } from '../../session/session-check.ts';
import { AuthField, AuthForm, EmailField } from './auth-form.tsx';
import { AuthHeading } from './auth-frame.tsx';
import { queueToast } from '../../ui/queued-toasts.ts';
import { Button } from '../../ui/button.tsx';
import { dismissErrorToasts, toast } from '../../ui/toast.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import { PasskeyButton } from './passkey-button.tsx';

interface SignInFormProps {
  /** Initial value, shared with the reset form. */
  email: string;
  onEmail: (email: string) => void;
  onForgot: () => void;
  onSignedIn: (step: SessionStep) => void;
}

interface Errors {
  email?: string;
  password?: string;
}

const preload = (): void => void loadAuthService().catch(() => undefined);

const failed = (message: string): void => {
  toast({ action: 'sign-in', title: 'Sign in failed', description: message, variant: 'destructive' });
};

/** Queues the welcome toast for the next document. */
export const queueWelcomeToast = (): void => {
  queueToast({ action: 'sign-in', title: 'Welcome back!', description: "You've successfully signed in." });
};

export function SignInForm({ email, onEmail, onForgot, onSignedIn }: SignInFormProps): React.JSX.Element {
  const handleSignedIn = (step: SessionStep): void => {
    dismissErrorToasts();
    onSignedIn(step);
  };
  const { errors, pending, submit, emailInput, passwordInput } = useSignIn(handleSignedIn);
  return (
    <>
      <AuthHeading title="Welcome Back">Sign in to your administrator account.</AuthHeading>
      <AuthForm onSubmit={submit} onFocus={preload}>
        <EmailField error={errors.email} ref={emailInput} defaultValue={email} />
        <AuthField
          label="Password"
          error={errors.password}
          ref={passwordInput}
          name="password"
          type="password"
          autoComplete="current-password"
        />
        <Button type="submit" pending={pending} pendingLabel="Signing in..." size="lg" className="mt-1">
          Sign In
        </Button>
        <PasskeyButton
          onFailed={failed}
          onSignedIn={(step) => {
            if (step === 'ready') queueWelcomeToast();
            handleSignedIn(step);
          }}
        />
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

function useSignIn(onSignedIn: (step: SessionStep) => void) {
  const [errors, setErrors] = useState<Errors>({});
  const emailInput = useRef<HTMLInputElement>(null);
  const passwordInput = useRef<HTMLInputElement>(null);

  const attempt = async (): Promise<boolean> => {
    const service = await loadAuthService();
    const checked = service.validateSignIn({
      email: emailInput.current?.value ?? '',
      password: passwordInput.current?.value ?? '',
    });
    setErrors(checked.ok ? {} : checked.errors);
    if (!checked.ok) {
      (checked.errors.email === undefined ? passwordInput : emailInput).current?.focus();
      return false;
    }
    const outcome = await service.signIn(checked.values.email, checked.values.password);
    if (!outcome.ok) {
      failed(outcome.error.message);
      return false;
    }
    if (outcome.value === 'ready') queueWelcomeToast();
    onSignedIn(outcome.value);
    return true;
  };

  const submission = useSubmit(attempt, (error) => failed(errorMessage(error)));
  return { ...submission, errors, emailInput, passwordInput };
}
