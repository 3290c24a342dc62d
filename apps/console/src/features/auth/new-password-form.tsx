/** The two password fields, and whose password it is; then the choice of sign-in methods for users who have some. */
import { useEffect } from 'react';
import { AuthField, AuthForm } from './auth-form.tsx';
import { AuthHeading } from './auth-frame.tsx';
import { SignOutLink } from './sign-out-link.tsx';
import { Button } from '../../ui/button.tsx';
import { showThrown, useNewPassword } from './use-new-password.ts';

interface NewPasswordFormProps {
  email: string;
  /** The service wants the second factor first, for example one that was set up a moment ago. */
  onSecondFactor: () => void;
  /** The link belongs to another user, or the user leaves the session. */
  onLeave: () => void;
}

export function NewPasswordForm({ email, onSecondFactor, onLeave }: NewPasswordFormProps): React.JSX.Element {
  const form = useNewPassword(email, { onSecondFactor, onLeave });
  const { errors, pending, submit, password, confirmation, choice } = form;
  const isShown = choice === null;
  useEffect(() => {
    if (isShown) password.current?.focus();
  }, [isShown, password]);
  return (
    <>
      {choice !== null && (
        <choice.Step
          email={email}
          methods={choice.methods}
          kept={form.kept}
          onKeep={form.keep}
          onBack={form.goBack}
          onSubmit={() => form.storeChoice(choice)}
          onThrown={showThrown}
        />
      )}
      {/* The fields keep their input while the choice is shown. */}
      <div hidden={!isShown}>
        <AuthHeading title="Set Your Password">
          For <bdi className="font-medium wrap-anywhere text-foreground">{email}</bdi>
        </AuthHeading>
        <AuthForm onSubmit={submit}>
          {/* For password managers: without it they would not know whose password they keep. */}
          <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
          <AuthField
            label="Password"
            error={errors.password}
            hint="At least 8 characters."
            ref={password}
            name="password"
            type="password"
            autoComplete="new-password"
          />
          <AuthField
            label="Confirm Password"
            error={errors.confirmPassword}
            ref={confirmation}
            name="confirmPassword"
            type="password"
            autoComplete="new-password"
          />
          <Button type="submit" pending={pending} pendingLabel="Setting password..." className="mt-1 h-10">
            Set Password & Continue
          </Button>
        </AuthForm>
        <SignOutLink onLeave={onLeave}>Back to sign in</SignOutLink>
      </div>
    </>
  );
}
