/** Dialog to sign in again over a page with unsaved input, which stays mounted. */
import { useRef, useState } from 'react';
import { errorMessage } from '../api/errors.ts';
import { loadAuthService } from '../features/auth/load-auth-service.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { dismissErrorToasts } from '../ui/toast.ts';
import { useSubmit } from '../forms/use-submit.ts';
import { AuthField, AuthForm, EmailField } from '../features/auth/auth-form.tsx';
import { SecondFactorForm } from '../features/auth/second-factor-form.tsx';
import { clearUnsavedChanges } from '../forms/unsaved-changes.ts';

interface SessionEndedDialogProps {
  open: boolean;
  /** Email address of the user whose session ended. */
  email: string;
  needs: 'password' | 'second-factor';
}

export function SessionEndedDialog({ open, email, needs }: SessionEndedDialogProps): React.JSX.Element {
  const password = useRef<HTMLInputElement>(null);
  return (
    <Dialog
      open={open}
      dismissible={false}
      onOpenChange={() => undefined}
      initialFocus={needs === 'password' ? password : undefined}
      title="Sign in again"
      description="Your session has ended. Your input on this page has been kept."
      size="md"
    >
      {needs === 'password' ? (
        <PasswordForm email={email} password={password} />
      ) : (
        <SecondFactorForm onVerified={() => undefined} />
      )}
    </Dialog>
  );
}

interface PasswordFormProps {
  email: string;
  password: React.RefObject<HTMLInputElement | null>;
}

function PasswordForm({ email, password }: PasswordFormProps): React.JSX.Element {
  const [error, setError] = useState<string>();
  /** Always resolves to false: the dialog closes when the session is restored. */
  const attempt = async (): Promise<boolean> => {
    const service = await loadAuthService();
    const checked = service.validateSignIn({ email, password: password.current?.value ?? '' });
    if (checked.ok) {
      const outcome = await service.signIn(checked.values.email, checked.values.password);
      setError(outcome.ok ? undefined : outcome.error.message);
      // Requests that failed without a session can be retried now.
      if (outcome.ok) dismissErrorToasts();
    } else {
      setError(checked.errors.password ?? checked.errors.email);
    }
    password.current?.select();
    return false;
  };
  const { pending, submit } = useSubmit(attempt, (thrown) => setError(errorMessage(thrown)));
  return (
    <AuthForm onSubmit={submit}>
      <EmailField value={email} readOnly className="bg-subtle" />
      <AuthField
        label="Password"
        error={error}
        ref={password}
        name="password"
        type="password"
        autoComplete="current-password"
      />
      <DialogActions>
        <Button
          variant="outline"
          onClick={() => {
            clearUnsavedChanges();
            location.replace('/auth');
          }}
        >
          Leave this page
        </Button>
        <Button type="submit" pending={pending} pendingLabel="Signing in...">
          Sign In
        </Button>
      </DialogActions>
    </AuthForm>
  );
}
