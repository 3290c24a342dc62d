/**
 * Signing in again over a page that holds unsaved input. Nothing below is torn down, and the same
 * person goes on where the session ended.
 */
import { type SubmitEvent, useRef, useState } from 'react';
import { messageOf } from '../backend-error.ts';
import { loadAuthService } from '../load-auth-service.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Input } from '../ui/input.tsx';
import { SecondFactorForm } from './second-factor-form.tsx';
import { forgetUnsavedChanges } from './unsaved-changes.ts';

interface SessionLostDialogProps {
  open: boolean;
  /** Whose page it is. */
  email: string;
  needs: 'password' | 'second-factor';
}

export function SessionLostDialog({ open, email, needs }: SessionLostDialogProps): React.JSX.Element {
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
  const [pending, setPending] = useState(false);
  const submit = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    // React hands events of this form on to the page's forms around it.
    event.stopPropagation();
    if (pending) return;
    setPending(true);
    try {
      const service = await loadAuthService();
      const checked = service.checkSignIn({ email, password: password.current?.value ?? '' });
      if (checked.ok) {
        const outcome = await service.signIn(checked.values.email, checked.values.password);
        setError(outcome.ok ? undefined : outcome.error.message);
      } else {
        setError(checked.errors.password ?? checked.errors.email);
      }
    } catch (failure) {
      setError(messageOf(failure));
    }
    setPending(false);
    password.current?.select();
  };
  return (
    <form
      noValidate
      method="post"
      action="/auth"
      className="grid gap-4"
      onSubmit={(event) => void submit(event)}
    >
      <Field
        label="Email"
        render={(control) => (
          <Input
            {...control}
            name="email"
            type="email"
            autoComplete="username"
            value={email}
            readOnly
            className="bg-subtle"
          />
        )}
      />
      <Field
        label="Password"
        error={error}
        render={(control) => (
          <Input
            {...control}
            ref={password}
            name="password"
            type="password"
            autoComplete="current-password"
          />
        )}
      />
      <DialogActions>
        <Button
          variant="outline"
          onClick={() => {
            forgetUnsavedChanges();
            location.replace('/auth');
          }}
        >
          Leave this page
        </Button>
        <Button type="submit" pending={pending} pendingLabel="Signing in...">
          Sign In
        </Button>
      </DialogActions>
    </form>
  );
}
