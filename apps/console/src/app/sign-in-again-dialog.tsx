/** Dialog for the password or the second factor over a page with unsaved input, which stays mounted. */
import { useRef } from 'react';
import { errorMessage } from '../api/errors.ts';
import { loadAuthService } from '../features/auth/load-auth-service.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { dismissErrorToasts } from '../ui/toast.ts';
import { useUncontrolledForm } from '../forms/use-uncontrolled-form.ts';
import { AuthField, AuthForm, EmailField } from '../features/auth/auth-form.tsx';
import { showRecoveryCodeNotice } from '../features/auth/recovery-code-notice.ts';
import { SecondFactorForm } from '../features/auth/second-factor-form.tsx';
import { useSuspendedLeaveConfirmations } from '../forms/leave-confirmation.tsx';
import { clearUnsavedChanges } from '../forms/unsaved-changes.ts';

/** Password: the session has ended. Second factor: the session continues, at a higher assurance level. */
export type RequiredCredential = 'password' | 'second-factor';

const texts = {
  password: {
    title: 'Sign in again',
    description: 'Your session has ended. Your input on this page has been kept.',
  },
  'second-factor': {
    title: "Confirm it's you",
    description: 'Your second factor is required to continue. Your input on this page has been kept.',
  },
} as const satisfies Record<RequiredCredential, unknown>;

interface SignInAgainDialogProps {
  open: boolean;
  /** Email address of the user who was signed in. */
  email: string;
  credential: RequiredCredential;
}

export function SignInAgainDialog({ open, email, credential }: SignInAgainDialogProps): React.JSX.Element {
  const password = useRef<HTMLInputElement>(null);
  useSuspendedLeaveConfirmations();
  return (
    <Dialog
      open={open}
      dismissible={false}
      onOpenChange={() => undefined}
      initialFocus={credential === 'password' ? password : undefined}
      title={texts[credential].title}
      description={texts[credential].description}
      size="md"
    >
      {credential === 'password' ? (
        <PasswordForm email={email} password={password} />
      ) : (
        <SecondFactorForm onVerified={(byRecoveryCode) => byRecoveryCode && void showRecoveryCodeNotice()}>
          <LeaveButton />
        </SecondFactorForm>
      )}
    </Dialog>
  );
}

/** Discards the unsaved input. `RequireSession` then opens the sign-in page instead of this dialog. */
function LeaveButton(): React.JSX.Element {
  return (
    <Button variant="outline" onClick={clearUnsavedChanges}>
      Leave this page
    </Button>
  );
}

interface PasswordFormProps {
  email: string;
  password: React.RefObject<HTMLInputElement | null>;
}

function PasswordForm({ email, password }: PasswordFormProps): React.JSX.Element {
  // The dialog closes when the session is restored.
  const { errors, pending, onSubmit } = useUncontrolledForm({
    action: 'sign-in',
    send: async (input) => {
      const service = await loadAuthService();
      const values = service.validateSignIn(input);
      await service.signIn(values.email, values.password);
    },
    // Requests that failed without a session can be retried now.
    done: dismissErrorToasts,
    fieldErrors: (error) => ({ password: errorMessage(error) }),
  });
  return (
    <AuthForm onSubmit={onSubmit}>
      <EmailField value={email} readOnly className="bg-subtle" />
      <AuthField
        label="Password"
        // The read-only email field shows no error.
        error={errors['password'] ?? errors['email']}
        ref={password}
        name="password"
        type="password"
        autoComplete="current-password"
      />
      <DialogActions>
        <LeaveButton />
        <Button type="submit" pending={pending} pendingLabel="Signing in...">
          Sign In
        </Button>
      </DialogActions>
    </AuthForm>
  );
}
