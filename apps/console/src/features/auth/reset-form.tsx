/** Form that requests a recovery email. */
import { useEffect, useRef, useState } from 'react';
import { errorMessage } from '../../api/errors.ts';
import { loadAuthService } from './load-auth-service.ts';
import { hasFeature } from '../../api/runtime-config.ts';
import { AuthForm, EmailField } from './auth-form.tsx';
import { AuthHeading } from './auth-frame.tsx';
import { Button } from '../../ui/button.tsx';
import { dismissErrorToasts, toast } from '../../ui/toast.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import type { ResetCode } from './reset-code.tsx';

interface ResetFormProps {
  email: string;
  onEmail: (email: string) => void;
  /** The user wants to enter the code of the email instead of opening its link. */
  onCode: (Form: typeof ResetCode) => void;
  onBack: () => void;
}

const failed = (message: string): void => {
  toast({
    action: 'request-reset',
    title: 'Password reset failed',
    description: message,
    variant: 'destructive',
  });
};

export function ResetForm({ email, onEmail, onCode, onBack }: ResetFormProps): React.JSX.Element {
  const [error, setError] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);

  /** Returns undefined if the email address is invalid. The field then shows the error. */
  const readEmail = async (): Promise<string | undefined> => {
    const checked = (await loadAuthService()).validateResetRequest({ email: input.current?.value ?? '' });
    setError(checked.ok ? undefined : checked.errors.email);
    if (checked.ok) return checked.values.email;
    input.current?.focus();
    return undefined;
  };
  const attempt = async (): Promise<boolean> => {
    const emailAddress = await readEmail();
    if (emailAddress === undefined) return false;
    const outcome = await (await loadAuthService()).requestPasswordReset(emailAddress);
    if (outcome.ok) {
      toast({
        action: 'request-reset',
        title: 'Password reset email sent',
        description: 'Check your email for a link to reset your password.',
      });
    } else failed(outcome.error.message);
    return false;
  };
  const { pending, submit } = useSubmit(attempt, (thrown) => failed(errorMessage(thrown)));
  const enterCode = async (): Promise<void> => {
    try {
      const emailAddress = await readEmail();
      if (emailAddress === undefined) return;
      const { ResetCode: Form } = await import('./reset-code.tsx');
      onEmail(emailAddress);
      onCode(Form);
    } catch (thrown) {
      failed(errorMessage(thrown));
    }
  };

  return (
    <>
      <AuthHeading title="Reset Password">We will email you a link to set a new password.</AuthHeading>
      <AuthForm onSubmit={submit}>
        <EmailField error={error} ref={input} defaultValue={email} />
        <Button type="submit" pending={pending} pendingLabel="Sending..." size="lg" className="mt-1">
          Send Reset Link
        </Button>
        {hasFeature('email-codes') && (
          <Button
            variant="link"
            size="inline"
            className="justify-self-center"
            disabled={pending}
            onClick={() => void enterCode()}
          >
            Enter the code instead
          </Button>
        )}
        <Button
          variant="link"
          size="inline"
          className="-mt-2 justify-self-center"
          onClick={() => {
            onEmail(input.current?.value ?? '');
            dismissErrorToasts();
            onBack();
          }}
        >
          Back to sign in
        </Button>
      </AuthForm>
    </>
  );
}
