/** Field for reauthentication by the current password or by an emailed code. */
import { useMutation } from '@tanstack/react-query';
import { type ComponentProps, type RefObject, useEffect } from 'react';
import { auth } from '../../api/auth.ts';
import { ApiError, errorMessage } from '../../api/errors.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { PasswordInput } from '../../ui/password-input.tsx';
import { toast } from '../../ui/toast.ts';
import { unwrapAuth } from '../../api/auth-requests.ts';
import { codeInputProps } from './code-input.ts';
import type { ParseResult } from './single-field-form.tsx';
import { securityText } from './security-text.ts';

const text = securityText.account;

export type ReauthenticationMethod = 'password' | 'code';

interface ReauthenticationFieldProps {
  method: ReauthenticationMethod;
  email: string;
  error: string | undefined;
  input: RefObject<HTMLInputElement | null>;
  /** True after a switch of the method. The dialog focuses the first field itself. */
  takesFocus: boolean;
}

/** Pass the method as `key`, so that a switch creates a new field. */
export function ReauthenticationField(props: ReauthenticationFieldProps): React.JSX.Element {
  const { method, email, error, input, takesFocus } = props;
  useEffect(() => {
    if (takesFocus) input.current?.focus();
  }, [input, takesFocus]);
  if (method === 'password') {
    return <PasswordField ref={input} label={text.current} error={error} autoComplete="current-password" />;
  }
  return (
    <Field
      label={text.code}
      error={error}
      helpText={text.codeHelpText(email)}
      render={(control) => <Input {...control} {...codeInputProps} ref={input} />}
    />
  );
}

interface PasswordFieldProps extends ComponentProps<typeof Input> {
  label: string;
  error: string | undefined;
  helpText?: string;
}

export function PasswordField({ label, error, helpText, ...input }: PasswordFieldProps): React.JSX.Element {
  return (
    <Field
      label={label}
      error={error}
      helpText={helpText}
      render={(control) => <PasswordInput {...control} {...input} />}
    />
  );
}

interface SwitchReauthenticationMethodProps {
  method: ReauthenticationMethod;
  onChoose: (method: ReauthenticationMethod) => void;
}

export const readPassword = (typed: string): ParseResult =>
  typed === '' ? { ok: false, error: text.currentError } : { ok: true, value: typed };

/**
 * Emails a reauthentication code to the user.
 *
 * @param onSent also called at the rate limit, because the code that was sent before is still valid
 */
export const useSendCode = (onSent: () => void) =>
  useMutation({
    mutationFn: () => unwrapAuth(auth.reauthenticate()),
    onSuccess: onSent,
    onError: (error) => {
      const alreadySent = error instanceof ApiError && error.code === 'over_email_send_rate_limit';
      if (alreadySent) onSent();
      toast({
        action: 'send-code',
        title: alreadySent ? text.codeEarlier : text.codeFailed,
        description: errorMessage(error),
        variant: alreadySent ? 'default' : 'destructive',
      });
    },
  });

/** Switches between password and emailed code. */
export function SwitchReauthenticationMethod({
  method,
  onChoose,
}: SwitchReauthenticationMethodProps): React.JSX.Element {
  const sendMutation = useSendCode(() => onChoose('code'));
  return (
    <Button
      variant="link"
      size="flush"
      className="justify-self-start"
      pending={sendMutation.isPending}
      pendingLabel={text.sendingCode}
      onClick={() => (method === 'password' ? sendMutation.mutate() : onChoose('password'))}
    >
      {method === 'password' ? text.sendCode : text.byPassword}
    </Button>
  );
}
