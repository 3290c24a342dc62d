/** Set-password form, followed by the choice of sign-in methods for users who have some. */
import { useEffect, useRef, useState } from 'react';
import { useAuthNavigation } from './auth-navigation.ts';
import { AuthField, AuthForm } from './auth-form.tsx';
import { AuthHeading } from './auth-frame.tsx';
import { SignOutLink } from './sign-out-link.tsx';
import { findInvitedAs } from '../../session/password-setup-marker.ts';
import { passwordHelpText } from '../../shared/password-help-text.ts';
import { Button } from '../../ui/button.tsx';
import { useNewPassword } from './use-new-password.ts';

interface NewPasswordFormProps {
  email: string;
  /** The service requires a second factor, for example one that was added while the form was open. */
  onSecondFactor: () => void;
  /** The link belongs to another user, or the user leaves the session. */
  onSignedOut: () => void;
}

const roles = { administrator: 'as an administrator', member: 'as a member of an account' } as const;

export function NewPasswordForm({
  email,
  onSecondFactor,
  onSignedOut,
}: NewPasswordFormProps): React.JSX.Element {
  const { form, save, choice, goBack } = useNewPassword(email, { onSecondFactor, onSignedOut });
  const [keptIds, setKeptIds] = useState<ReadonlySet<string>>(new Set());
  const { productName } = useAuthNavigation();
  // The marker is cleared while this form is still shown.
  const [invitedAs] = useState(findInvitedAs);
  const password = useRef<HTMLInputElement>(null);
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
          kept={keptIds}
          onKeep={(id, keep) =>
            setKeptIds((last) => new Set(keep ? [...last, id] : [...last].filter((other) => other !== id)))
          }
          pending={save.pending}
          onBack={goBack}
          onSubmit={(keep) => void save.submit({ password: choice.password, keep })}
        />
      )}
      {/* The fields keep their input while the choice is shown. */}
      <div hidden={!isShown}>
        <AuthHeading title="Set Your Password">
          For{' '}
          <bdi translate="no" className="font-medium wrap-anywhere text-foreground">
            {email}
          </bdi>
          {invitedAs !== null && (
            <span className="mt-1 block">{`You were invited to ${productName} ${roles[invitedAs]}.`}</span>
          )}
        </AuthHeading>
        <AuthForm onSubmit={form.onSubmit}>
          {/* Identifies the user to password managers. */}
          <input type="text" name="email" autoComplete="username" value={email} readOnly hidden />
          <AuthField
            label="Password"
            error={form.errors['password']}
            helpText={passwordHelpText()}
            ref={password}
            name="password"
            type="password"
            autoComplete="new-password"
          />
          <AuthField
            label="Confirm Password"
            error={form.errors['confirmPassword']}
            name="confirmPassword"
            type="password"
            autoComplete="new-password"
          />
          <Button
            type="submit"
            pending={form.pending || save.pending}
            pendingLabel="Setting password..."
            size="lg"
            className="mt-1"
          >
            Set Password & Continue
          </Button>
        </AuthForm>
        <SignOutLink onSignedOut={onSignedOut}>Back to sign in</SignOutLink>
      </div>
    </>
  );
}
