/**
 * Signing in again over a page that holds unsaved input. Nothing below is torn down, and the same
 * person goes on where the session ended.
 */
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

interface SessionLostDialogProps {
  open: boolean;
  /** Whose page it is. */
  email: string;
  needs: 'password' | 'second-factor';
}

export function SessionEndedDialog({ open, email, needs }: SessionLostDialogProps): React.JSX.Element {
  const password = useRef<HTMLInputElement>(null);
  return (
    <Dialog
      open={open}
      dismissible={false}
      onOpenChange={() => undefined}
      initialFocus={needs === 'password' ? password : undefined}
      title="Sign in again"
      description="Your session has ended. What you entered on this page is still here."
      className="max-w-md"
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
  /** False also when it went well: this dialog goes as soon as the session is there. */
  const attempt = async (): Promise<boolean> => {
    const service = await loadAuthService();
    const checked = service.validateSignIn({ email, password: password.current?.value ?? '' });
    if (checked.ok) {
      const outcome = await service.signIn(checked.values.email, checked.values.password);
      setError(outcome.ok ? undefined : outcome.error.message);
      // What failed because the session had ended can be tried again now.
      if (outcome.ok) dismissErrorToasts();
    } else {
      setError(checked.errors.password ?? checked.errors.email);
    }
    password.current?.select();
    return false;
  };
  const { pending, submit } = useSubmit(attempt, (failure) => setError(errorMessage(failure)));
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
