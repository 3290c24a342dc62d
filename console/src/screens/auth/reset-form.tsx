/** Asks for a mail with a link that sets a new password. */
import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { messageOf } from '../../backend-error.ts';
import { loadAuthService } from '../../load-auth-service.ts';
import { AuthHeading } from '../../shell/auth-frame.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { toast } from '../../ui/toast.ts';

interface ResetFormProps {
  email: string;
  onEmail: (email: string) => void;
  onBack: () => void;
}

const failed = (message: string): void => {
  toast({ title: 'Password reset failed', description: message, variant: 'destructive' });
};

export function ResetForm({ email, onEmail, onBack }: ResetFormProps): React.JSX.Element {
  const [error, setError] = useState<string>();
  const [pending, setPending] = useState(false);
  const running = useRef(false);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);

  const attempt = async (): Promise<void> => {
    const service = await loadAuthService();
    const checked = service.checkResetRequest({ email: input.current?.value ?? '' });
    setError(checked.ok ? undefined : checked.errors.email);
    if (!checked.ok) {
      input.current?.focus();
      return;
    }
    const outcome = await service.requestReset(checked.values.email);
    if (!outcome.ok) {
      failed(outcome.error.message);
      return;
    }
    toast({
      title: 'Password reset email sent',
      description: 'Check your email for a link to reset your password.',
    });
  };

  const submit = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    if (running.current) return;
    running.current = true;
    setPending(true);
    try {
      await attempt();
    } catch (failure) {
      failed(messageOf(failure));
    }
    running.current = false;
    setPending(false);
  };

  return (
    <>
      <AuthHeading title="Reset Password">We will send you a link that lets you set a new one.</AuthHeading>
      <form
        noValidate
        method="post"
        action="/auth"
        className="grid gap-4"
        onSubmit={(event) => void submit(event)}
      >
        <Field
          label="Email"
          error={error}
          render={(control) => (
            <Input
              {...control}
              ref={input}
              name="email"
              type="email"
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
              defaultValue={email}
              className="h-10"
            />
          )}
        />
        <Button type="submit" pending={pending} pendingLabel="Sending..." className="mt-1 h-10">
          Send Reset Link
        </Button>
        <Button
          variant="link"
          className="h-8 justify-self-center px-1"
          onClick={() => {
            onEmail(input.current?.value ?? '');
            onBack();
          }}
        >
          Back to sign in
        </Button>
      </form>
    </>
  );
}
