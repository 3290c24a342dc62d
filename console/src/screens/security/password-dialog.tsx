/** Changing the own password. */
import { setPasswordSchema } from '@lanternrock/contract/credentials';
import { useRef, useState } from 'react';
import { auth } from '../../backend-auth.ts';
import { BackendError, messageOf } from '../../backend-error.ts';
import { checkForm } from '../../form-check.ts';
import { Dialog, FormActions } from '../../ui/dialog.tsx';
import { useSubmission } from '../../ui/use-submission.ts';
import { settled } from './auth-calls.ts';
import { readCode } from './code-input.ts';
import { OtherProof, PasswordField, type Proof, ProofField, readPassword } from './password-proof.tsx';
import { securityText } from './security-text.ts';
import { useAct } from './use-act.ts';

const text = securityText.account;

interface PasswordDialogProps {
  open: boolean;
  email: string;
  onClose: () => void;
}

export function PasswordDialog({ open, email, onClose }: PasswordDialogProps): React.JSX.Element {
  const [pending, setPending] = useState(false);
  return (
    <Dialog
      open={open}
      title={text.passwordTitle}
      description={text.passwordDetails}
      className="max-w-md"
      onOpenChange={(next) => {
        if (!next && !pending) onClose();
      }}
    >
      {/* The content goes when the dialog closes, and with it what was typed. */}
      <PasswordForm email={email} onPending={setPending} onClose={onClose} />
    </Dialog>
  );
}

interface PasswordFormProps {
  email: string;
  onPending: (pending: boolean) => void;
  onClose: () => void;
}

function PasswordForm({ email, onPending, onClose }: PasswordFormProps): React.JSX.Element {
  const form = usePasswordForm(onPending, onClose);
  const { proof, errors, proofInput, passwordInput, confirmationInput } = form;
  return (
    <form noValidate className="grid gap-5" onSubmit={form.submit}>
      {/* For password managers: without it they would not know whose password they keep. */}
      <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
      <div className="grid gap-2">
        <ProofField
          key={proof}
          proof={proof}
          email={email}
          error={errors.proof}
          input={proofInput}
          takesFocus={form.chosen}
        />
        <OtherProof proof={proof} onChoose={form.choose} />
      </div>
      <PasswordField
        ref={passwordInput}
        label={text.next}
        error={errors.password}
        hint={text.nextHint}
        autoComplete="new-password"
      />
      <PasswordField
        ref={confirmationInput}
        label={text.confirm}
        error={errors.confirmPassword}
        autoComplete="new-password"
      />
      <FormActions
        cancelLabel={securityText.cancel}
        onCancel={onClose}
        submitLabel={text.savePassword}
        pending={form.pending}
        pendingLabel={text.savingPassword}
      />
    </form>
  );
}

interface Errors {
  proof?: string | undefined;
  password?: string | undefined;
  confirmPassword?: string | undefined;
}

interface Change {
  readonly proof: Proof;
  readonly proven: string;
  readonly password: string;
}

const change = async ({ proof, proven, password }: Change): Promise<void> => {
  const by = proof === 'password' ? { current_password: proven } : { nonce: proven };
  await settled(auth.updateUser({ password, ...by }));
};

/** At which field a refusal of the service belongs. */
const errorsOf = (failure: unknown): Errors => {
  const code = failure instanceof BackendError ? failure.code : '';
  if (code === 'current_password_invalid') return { proof: text.wrongCurrent };
  if (code === 'reauthentication_not_valid') return { proof: text.wrongCode };
  return { password: messageOf(failure) };
};

function usePasswordForm(onPending: (pending: boolean) => void, onDone: () => void) {
  const [chosen, setProof] = useState<Proof>();
  const proof = chosen ?? 'password';
  const [errors, setErrors] = useState<Errors>({});
  const proofInput = useRef<HTMLInputElement>(null);
  const passwordInput = useRef<HTMLInputElement>(null);
  const confirmationInput = useRef<HTMLInputElement>(null);
  const changes = useAct<Change>({
    run: change,
    failed: '',
    done: () => ({ title: text.passwordDone, description: text.passwordDoneDescription }),
    onDone,
  });
  /** Shows them and goes to the first one. */
  const tell = (found: Errors): void => {
    setErrors(found);
    const first = found.proof ? proofInput : found.password ? passwordInput : confirmationInput;
    first.current?.focus();
  };
  const attempt = async (): Promise<boolean> => {
    const checked = checkForm(setPasswordSchema, {
      password: passwordInput.current?.value ?? '',
      confirmPassword: confirmationInput.current?.value ?? '',
    });
    const proven = (proof === 'code' ? readCode : readPassword)(proofInput.current?.value ?? '');
    if (!proven.ok || !checked.ok) {
      tell({ ...(checked.ok ? {} : checked.errors), proof: proven.ok ? undefined : proven.problem });
      return false;
    }
    setErrors({});
    onPending(true);
    try {
      await changes.mutateAsync({ proof, proven: proven.value, password: checked.values.password });
    } finally {
      onPending(false);
    }
    return false;
  };
  const choose = (next: Proof): void => {
    setErrors({});
    setProof(next);
  };
  const submission = useSubmission(attempt, (failure) => tell(errorsOf(failure)));
  const inputs = { proofInput, passwordInput, confirmationInput };
  return { ...submission, ...inputs, proof, chosen: chosen !== undefined, errors, choose };
}
