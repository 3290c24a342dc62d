/** How a user proves that a session is theirs: the current password, or an emailed code. */
import { useMutation } from '@tanstack/react-query';
import { type ComponentProps, type RefObject, useEffect } from 'react';
import { auth } from '../../api/auth.ts';
import { BackendError, errorMessage } from '../../api/errors.ts';
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

interface ProofFieldProps {
  proof: ReauthenticationMethod;
  email: string;
  error: string | undefined;
  input: RefObject<HTMLInputElement | null>;
  /** True once it stands in place of another one; the first one gets the focus from the dialog. */
  takesFocus: boolean;
}

/** Give it the proof as its key. */
export function ReauthenticationField(props: ProofFieldProps): React.JSX.Element {
  const { proof, email, error, input, takesFocus } = props;
  useEffect(() => {
    if (takesFocus) input.current?.focus();
  }, [input, takesFocus]);
  if (proof === 'password') {
    return <PasswordField ref={input} label={text.current} error={error} autoComplete="current-password" />;
  }
  return (
    <Field
      label={text.code}
      error={error}
      helpText={text.codeHint(email)}
      render={(control) => <Input {...control} {...codeInputProps} ref={input} />}
    />
  );
}

interface PasswordFieldProps extends ComponentProps<typeof Input> {
  label: string;
  error: string | undefined;
  hint?: string;
}

export function PasswordField({ label, error, hint, ...input }: PasswordFieldProps): React.JSX.Element {
  return (
    <Field
      label={label}
      error={error}
      helpText={hint}
      render={(control) => <PasswordInput {...control} {...input} />}
    />
  );
}

interface OtherProofProps {
  proof: ReauthenticationMethod;
  onChoose: (proof: ReauthenticationMethod) => void;
}

export const readPassword = (typed: string): ParseResult =>
  typed === '' ? { ok: false, problem: text.currentProblem } : { ok: true, value: typed };

/** Sends a code to the mailbox. @param onSent also when one was sent a moment ago, which is as good */
export const useSendCode = (onSent: () => void) =>
  useMutation({
    mutationFn: () => unwrapAuth(auth.reauthenticate()),
    onSuccess: onSent,
    onError: (error) => {
      const early = error instanceof BackendError && error.code === 'over_email_send_rate_limit';
      if (early) onSent();
      toast({
        action: 'send-code',
        title: early ? text.codeEarlier : text.codeFailed,
        description: errorMessage(error),
        variant: early ? 'default' : 'destructive',
      });
    },
  });

/** For users who do not know their password: a code in the mailbox proves as much. */
export function SwitchReauthenticationMethod({ proof, onChoose }: OtherProofProps): React.JSX.Element {
  const sends = useSendCode(() => onChoose('code'));
  return (
    <Button
      variant="link"
      size="sm"
      className="justify-self-start px-0"
      pending={sends.isPending}
      pendingLabel={text.sendingCode}
      onClick={() => (proof === 'password' ? sends.mutate() : onChoose('password'))}
    >
      {proof === 'password' ? text.sendCode : text.byPassword}
    </Button>
  );
}
