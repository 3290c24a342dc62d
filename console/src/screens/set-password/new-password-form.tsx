/** The two password fields, and whose password it is. */
import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { openConsole, useAuthNavigation } from '../../auth-navigation.ts';
import { messageOf } from '../../backend-error.ts';
import { loadAuthService } from '../../load-auth-service.ts';
import { homePath } from '../../next-path.ts';
import { clearPasswordSetupMarker } from '../../password-setup-marker.ts';
import { AuthHeading } from '../../shell/auth-frame.tsx';
import { handOverToast } from '../../toast-handover.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { toast } from '../../ui/toast.ts';

interface Errors {
  password?: string;
  confirmPassword?: string;
}

export function NewPasswordForm({ email }: { email: string }): React.JSX.Element {
  const { errors, pending, submit, password, confirmation } = useNewPassword();
  useEffect(() => password.current?.focus(), [password]);
  return (
    <>
      <AuthHeading title="Set Your Password">
        For <bdi className="font-medium wrap-anywhere text-foreground">{email}</bdi>
      </AuthHeading>
      <form
        noValidate
        method="post"
        action="/auth"
        className="grid gap-4"
        onSubmit={(event) => void submit(event)}
      >
        {/* For password managers: without it they would not know whose password they keep. */}
        <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
        <Field
          label="Password"
          error={errors.password}
          hint="At least 8 characters."
          render={(control) => (
            <Input
              {...control}
              ref={password}
              name="password"
              type="password"
              autoComplete="new-password"
              className="h-10"
            />
          )}
        />
        <Field
          label="Confirm Password"
          error={errors.confirmPassword}
          render={(control) => (
            <Input
              {...control}
              ref={confirmation}
              name="confirmPassword"
              type="password"
              autoComplete="new-password"
              className="h-10"
            />
          )}
        />
        <Button type="submit" pending={pending} pendingLabel="Setting password..." className="mt-1 h-10">
          Set Password & Continue
        </Button>
      </form>
    </>
  );
}

function useNewPassword() {
  const { productName } = useAuthNavigation();
  const [errors, setErrors] = useState<Errors>({});
  const [pending, setPending] = useState(false);
  const running = useRef(false);
  const password = useRef<HTMLInputElement>(null);
  const confirmation = useRef<HTMLInputElement>(null);

  /** True when the console is being opened. */
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
      toast({ title: 'Error setting password', description: outcome.error.message, variant: 'destructive' });
      return false;
    }
    clearPasswordSetupMarker();
    handOverToast({ title: 'Password set successfully', description: `Welcome to ${productName}!` });
    openConsole(homePath);
    return true;
  };

  const submit = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    if (running.current) return;
    running.current = true;
    setPending(true);
    let leaving = false;
    try {
      leaving = await attempt();
    } catch (error) {
      toast({
        title: 'Error',
        description: messageOf(error) || 'Failed to set password',
        variant: 'destructive',
      });
    }
    running.current = leaving;
    setPending(leaving);
  };
  return { errors, pending, submit, password, confirmation };
}
