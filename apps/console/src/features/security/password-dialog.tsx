/** Changing the own password. */
import { setPasswordSchema } from '@lanternrock/contract/credentials';
import { useRef, useState } from 'react';
import { auth } from '../../api/auth.ts';
import { BackendError, errorMessage } from '../../api/errors.ts';
import { validateForm } from '../../forms/validate-form.ts';
import { Dialog, FormActions } from '../../ui/dialog.tsx';
import { useSubmit } from '../../forms/use-submit.ts';
import { unwrapAuth } from '../../api/auth-requests.ts';
import { parseCode } from './code-input.ts';
import {
  SwitchReauthenticationMethod,
  PasswordField,
  type ReauthenticationMethod,
  ReauthenticationField,
  readPassword,
} from './reauthentication-field.tsx';
import { securityText } from './security-text.ts';
import { useSecurityMutation } from './use-security-mutation.ts';

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
        <ReauthenticationField
          key={proof}
          proof={proof}
          email={email}
          error={errors.proof}
          input={proofInput}
          takesFocus={form.chosen}
        />
        <SwitchReauthenticationMethod proof={proof} onChoose={form.choose} />
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
  readonly proof: ReauthenticationMethod;
  readonly proven: string;
  readonly password: string;
}

const change = async ({ proof, proven, password }: Change): Promise<void> => {
  const by = proof === 'password' ? { current_password: proven } : { nonce: proven };
  await unwrapAuth(auth.updateUser({ password, ...by }));
};

/** At which field a refusal of the service belongs. */
const errorsOf = (failure: unknown): Errors => {
  const code = failure instanceof BackendError ? failure.code : '';
  if (code === 'current_password_invalid') return { proof: text.wrongCurrent };
  if (code === 'reauthentication_not_valid') return { proof: text.wrongCode };
  return { password: errorMessage(failure) };
};

function usePasswordForm(onPending: (pending: boolean) => void, onSuccess: () => void) {
  const [chosen, setProof] = useState<ReauthenticationMethod>();
  const proof = chosen ?? 'password';
  const [errors, setErrors] = useState<Errors>({});
  const proofInput = useRef<HTMLInputElement>(null);
  const passwordInput = useRef<HTMLInputElement>(null);
  const confirmationInput = useRef<HTMLInputElement>(null);
  const changes = useSecurityMutation<Change>({
    run: change,
    errorTitle: '',
    successToast: () => ({ title: text.passwordDone, description: text.passwordDoneDescription }),
    onSuccess,
  });
  /** Shows them and goes to the first one. */
  const tell = (found: Errors): void => {
    setErrors(found);
    const first = found.proof ? proofInput : found.password ? passwordInput : confirmationInput;
    first.current?.focus();
  };
  const attempt = async (): Promise<boolean> => {
    const checked = validateForm(setPasswordSchema, {
      password: passwordInput.current?.value ?? '',
      confirmPassword: confirmationInput.current?.value ?? '',
    });
    const proven = (proof === 'code' ? parseCode : readPassword)(proofInput.current?.value ?? '');
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
  const choose = (next: ReauthenticationMethod): void => {
    setErrors({});
    setProof(next);
  };
  const submission = useSubmit(attempt, (failure) => tell(errorsOf(failure)));
  const inputs = { proofInput, passwordInput, confirmationInput };
  return { ...submission, ...inputs, proof, chosen: chosen !== undefined, errors, choose };
}
