/** The two password fields, and whose password it is. */
import { useEffect, useRef, useState } from 'react';
import { openConsole, useAuthNavigation } from '../../auth-document/auth-navigation.ts';
import { messageOf } from '../../backend-error.ts';
import { loadAuthService } from '../../session/load-auth-service.ts';
import { homePath } from '../../session/next-path.ts';
import { clearPasswordSetupMarker } from '../../session/password-setup-marker.ts';
import { AuthField, AuthForm } from '../../shell/auth-form.tsx';
import { AuthHeading } from '../../shell/auth-frame.tsx';
import { LeaveSession } from '../../shell/leave-session.tsx';
import { handOverToast } from '../../session/toast-handover.ts';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toast.ts';
import { useSubmission } from '../../ui/use-submission.ts';

interface NewPasswordFormProps {
  email: string;
  /** The service wants the second factor first, for example one that was set up a moment ago. */
  onSecondFactor: () => void;
  /** Somebody else's link was opened, or the session is not wanted any more. */
  onLeave: () => void;
}

interface Errors {
  password?: string;
  confirmPassword?: string;
}

export function NewPasswordForm({ email, onSecondFactor, onLeave }: NewPasswordFormProps): React.JSX.Element {
  const { errors, pending, submit, password, confirmation } = useNewPassword(email, onSecondFactor, onLeave);
  useEffect(() => password.current?.focus(), [password]);
  return (
    <>
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
      <LeaveSession onLeave={onLeave}>Back to sign in</LeaveSession>
    </>
  );
}

/** The session came some other way than by a mail, so it does not show whose mailbox it is. */
const openInvitation = (email: string): string =>
  `Open the link in the invitation email to ${email} and set your password there. If you cannot find it, ask an administrator to send it again.`;

function useNewPassword(email: string, onSecondFactor: () => void, onLeave: () => void) {
  const { productName } = useAuthNavigation();
  const [errors, setErrors] = useState<Errors>({});
  const password = useRef<HTMLInputElement>(null);
  const confirmation = useRef<HTMLInputElement>(null);

  const attempt = async (): Promise<boolean> => {
    const service = await loadAuthService();
    const checked = service.checkNewPassword({
      password: password.current?.value ?? '',
      confirmPassword: confirmation.current?.value ?? '',
    });
    setErrors(checked.ok ? {} : checked.errors);
    if (!checked.ok) {
      (checked.errors.password === undefined ? confirmation : password).current?.focus();
      return false;
    }
    const outcome = await service.setPassword(checked.values.password);
    if (!outcome.ok) {
      const { code, message } = outcome.error;
      // Nothing typed here could help: such a session is given up.
      const cannot = code === 'no_authorization';
      const description = cannot ? openInvitation(email) : message;
      toast({ action: 'set-password', title: 'Error setting password', description, variant: 'destructive' });
      if (code === 'insufficient_aal') onSecondFactor();
      if (cannot) {
        await service.forgetSession();
        onLeave();
      }
      return false;
    }
    clearPasswordSetupMarker();
    handOverToast({
      action: 'set-password',
      title: 'Password set successfully',
      description: `Welcome to ${productName}!`,
    });
    openConsole(homePath);
    return true;
  };

  const submission = useSubmission(attempt, (error) =>
    toast({
      action: 'set-password',
      title: 'Error',
      description: messageOf(error) || 'Failed to set password',
      variant: 'destructive',
    }),
  );
  return { ...submission, errors, password, confirmation };
}
