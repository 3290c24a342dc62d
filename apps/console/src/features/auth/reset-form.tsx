/** Form that requests a recovery email. */
import { useEffect, useRef } from 'react';
import { loadAuthService } from './load-auth-service.ts';
import { loadCode } from '../../api/load-code.ts';
import { hasFeature } from '../../api/runtime-config.ts';
import { AuthForm, EmailField } from './auth-form.tsx';
import { AuthHeading } from './auth-frame.tsx';
import { Button } from '../../ui/button.tsx';
import { dismissErrorToasts } from '../../ui/toast.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import { useUncontrolledForm } from '../../forms/use-uncontrolled-form.ts';
import type { ResetCode } from './reset-code.tsx';

interface ResetFormProps {
  email: string;
  onEmail: (email: string) => void;
  /** The user wants to enter the code of the email instead of opening its link. */
  onCode: (Form: typeof ResetCode) => void;
  onBack: () => void;
}

export function ResetForm({ email, onEmail, onCode, onBack }: ResetFormProps): React.JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const texts = { action: 'request-reset', failed: 'Password reset failed' };
  const { errors, pending, onSubmit, showInForm } = useUncontrolledForm({
    ...texts,
    send: async (form) => {
      const service = await loadAuthService();
      await service.requestPasswordReset(service.validateResetRequest(form).email);
    },
    done: () => ({
      title: 'Password reset email sent',
      description: 'Check your email for a link to reset your password.',
    }),
  });
  const code = useSubmit<HTMLFormElement>({
    ...texts,
    showInForm,
    send: async () => {
      const typed = { email: input.current?.value ?? '' };
      const emailAddress = (await loadAuthService()).validateResetRequest(typed).email;
      const { ResetCode: Form } = await loadCode(() => import('./reset-code.tsx'));
      onEmail(emailAddress);
      onCode(Form);
    },
  });

  return (
    <>
      <AuthHeading title="Reset Password">
        {hasFeature('local-mailbox')
          ? 'No mail server is set up. Emails are saved in the local mailbox of the service: ask its operator for the link.'
          : 'We will email you a link to set a new password.'}
      </AuthHeading>
      <AuthForm onSubmit={onSubmit}>
        <EmailField error={errors['email']} ref={input} defaultValue={email} />
        <Button type="submit" pending={pending} pendingLabel="Sending..." size="lg" className="mt-1">
          Send Reset Link
        </Button>
        {hasFeature('extensions') && (
          <Button
            variant="link"
            size="inline"
            className="justify-self-center"
            disabled={pending}
            pending={code.pending}
            pendingLabel="Loading..."
            onClick={({ currentTarget: { form } }) => form && void code.submit(form)}
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
