/** By what somebody shows that a signed-in session is theirs: the current password, or a mailed code. */
import { useMutation } from '@tanstack/react-query';
import { type ComponentProps, type RefObject, useEffect } from 'react';
import { auth } from '../../backend-auth.ts';
import { BackendError, messageOf } from '../../backend-error.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { PasswordInput } from '../../ui/password-input.tsx';
import { toast } from '../../ui/toast.ts';
import { settled } from './auth-calls.ts';
import { codeInput } from './code-input.ts';
import { securityText } from './security-text.ts';

const text = securityText.account;

export type Proof = 'password' | 'code';

interface ProofFieldProps {
  proof: Proof;
  email: string;
  error: string | undefined;
  input: RefObject<HTMLInputElement | null>;
  /** True once it stands in place of another one; the first one gets the focus from the dialog. */
  takesFocus: boolean;
}

/** Give it the proof as its key. */
export function ProofField(props: ProofFieldProps): React.JSX.Element {
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
      hint={text.codeHint(email)}
      render={(control) => <Input {...control} {...codeInput} ref={input} />}
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
      hint={hint}
      render={(control) => <PasswordInput {...control} {...input} />}
    />
  );
}

interface OtherProofProps {
  proof: Proof;
  onChoose: (proof: Proof) => void;
}

/** The way for whoever is signed in and does not know the password: the mailbox. */
export function OtherProof({ proof, onChoose }: OtherProofProps): React.JSX.Element {
  const sends = useMutation({
    mutationFn: () => settled(auth.reauthenticate()),
    onSuccess: () => onChoose('code'),
    onError: (error) => {
      // Whoever asks again too soon has a code in the mailbox.
      const early = error instanceof BackendError && error.code === 'over_email_send_rate_limit';
      if (early) onChoose('code');
      toast({
        action: 'send-code',
        title: early ? text.codeEarlier : text.codeFailed,
        description: messageOf(error),
        variant: early ? 'default' : 'destructive',
      });
    },
  });
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
