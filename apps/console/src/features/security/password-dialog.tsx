/** Changes the password of the current user. */
import { setPasswordSchema } from '@lanternrock/contract/credentials';
import { useRef, useState } from 'react';
import { auth } from '../../api/auth.ts';
import { ApiError, errorMessage } from '../../api/errors.ts';
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
      size="md"
      onOpenChange={(next) => {
        if (!next && !pending) onClose();
      }}
    >
      {/* Unmounted when the dialog closes, which clears the input. */}
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
  const { method, errors, credentialInput, passwordInput, confirmationInput } = form;
  return (
    <form noValidate className="grid gap-5" onSubmit={form.submit}>
      {/* Identifies the user to password managers. */}
      <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
      <div className="grid gap-2">
        <ReauthenticationField
          key={method}
          method={method}
          email={email}
          error={errors.credential}
          input={credentialInput}
          takesFocus={form.chosen}
        />
        <SwitchReauthenticationMethod method={method} onChoose={form.choose} />
      </div>
      <PasswordField
        ref={passwordInput}
        label={text.next}
        error={errors.password}
        helpText={text.nextHelpText}
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
  credential?: string | undefined;
  password?: string | undefined;
  confirmPassword?: string | undefined;
}

interface Change {
  readonly method: ReauthenticationMethod;
  readonly credential: string;
  readonly password: string;
}

const change = async ({ method, credential, password }: Change): Promise<void> => {
  const reauthentication = method === 'password' ? { current_password: credential } : { nonce: credential };
  await unwrapAuth(auth.updateUser({ password, ...reauthentication }));
};

/** Assigns an error of the service to the field that caused it. */
const toFieldErrors = (error: unknown): Errors => {
  const code = error instanceof ApiError ? error.code : '';
  if (code === 'current_password_invalid') return { credential: text.wrongCurrent };
  if (code === 'reauthentication_not_valid') return { credential: text.wrongCode };
  return { password: errorMessage(error) };
};

function usePasswordForm(onPending: (pending: boolean) => void, onSuccess: () => void) {
  const [chosen, setMethod] = useState<ReauthenticationMethod>();
  const method = chosen ?? 'password';
  const [errors, setErrors] = useState<Errors>({});
  const credentialInput = useRef<HTMLInputElement>(null);
  const passwordInput = useRef<HTMLInputElement>(null);
  const confirmationInput = useRef<HTMLInputElement>(null);
  const changeMutation = useSecurityMutation<Change>({
    run: change,
    errorTitle: '',
    successToast: () => ({ title: text.passwordDone, description: text.passwordDoneDescription }),
    onSuccess,
  });
  /** Shows the errors and focuses the first invalid field. */
  const showErrors = (found: Errors): void => {
    setErrors(found);
    const first = found.credential ? credentialInput : found.password ? passwordInput : confirmationInput;
    first.current?.focus();
  };
  const attempt = async (): Promise<boolean> => {
    const checked = validateForm(setPasswordSchema, {
      password: passwordInput.current?.value ?? '',
      confirmPassword: confirmationInput.current?.value ?? '',
    });
    const credential = (method === 'code' ? parseCode : readPassword)(credentialInput.current?.value ?? '');
    if (!credential.ok || !checked.ok) {
      showErrors({
        ...(checked.ok ? {} : checked.errors),
        credential: credential.ok ? undefined : credential.error,
      });
      return false;
    }
    setErrors({});
    onPending(true);
    try {
      await changeMutation.mutateAsync({
        method,
        credential: credential.value,
        password: checked.values.password,
      });
    } finally {
      onPending(false);
    }
    return false;
  };
  const choose = (next: ReauthenticationMethod): void => {
    setErrors({});
    setMethod(next);
  };
  const submission = useSubmit(attempt, (error) => showErrors(toFieldErrors(error)));
  const inputs = { credentialInput, passwordInput, confirmationInput };
  return { ...submission, ...inputs, method, chosen: chosen !== undefined, errors, choose };
}
