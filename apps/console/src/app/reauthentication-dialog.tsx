/** Reauthenticates the user before a sensitive change: by a second factor, the password or an emailed code. */
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { requestAuth } from '../api/auth.ts';
import { ApiError, errorMessage } from '../api/errors.ts';
import { SecondFactorForm } from '../features/auth/second-factor-form.tsx';
import { Dialog, FormActions } from '../ui/dialog.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { useSubmit } from '../forms/use-submit.ts';
import { parseCode } from '../features/security/code-input.ts';
import type { ReauthenticationRequest } from '../session/fresh-session.ts';
import {
  SwitchReauthenticationMethod,
  type ReauthenticationMethod,
  ReauthenticationField,
  readPassword,
  useSendCode,
} from '../features/security/reauthentication-field.tsx';
import { type CurrentUser, currentUserQuery } from '../features/security/security-queries.ts';
import { securityText } from '../features/security/security-text.ts';

const text = securityText.reauthentication;

interface ReauthenticationDialogProps {
  open: boolean;
  request: ReauthenticationRequest | undefined;
}

export function ReauthenticationDialog({ open, request }: ReauthenticationDialogProps): React.JSX.Element {
  const {
    data: user,
    error,
    isFetching,
    refetch,
  } = useQuery({
    ...currentUserQuery,
    enabled: open,
  });
  const settle = request?.settle;
  const factor = user !== undefined && user.factors.length > 0;
  return (
    <Dialog
      // Wait until the method is known, so that its field gets the initial focus.
      open={open && (user !== undefined || error !== null)}
      title={text.title}
      description={factor ? text.byFactor : text.description}
      size="md"
      onOpenChange={(next) => {
        if (!next) settle?.(false);
      }}
    >
      {user === undefined && error !== null && (
        <ErrorState
          title={securityText.account.loadFailed}
          description={errorMessage(error)}
          retrying={isFetching}
          onRetry={() => void refetch()}
        />
      )}
      {factor && <SecondFactorForm onVerified={() => settle?.(true)} />}
      {user !== undefined && !factor && (
        <ReauthenticationForm
          user={user}
          onCancel={() => settle?.(false)}
          onVerified={() => settle?.(true)}
        />
      )}
    </Dialog>
  );
}

interface ReauthenticationFormProps {
  user: CurrentUser;
  onCancel: () => void;
  onVerified: () => void;
}

const reauthenticate = (method: ReauthenticationMethod, value: string): Promise<unknown> =>
  requestAuth('/reauthenticate', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(method === 'password' ? { current_password: value } : { nonce: value }),
  });

const formatError = (error: unknown): string => {
  const code = error instanceof ApiError ? error.code : '';
  if (code === 'current_password_invalid') return securityText.account.wrongCurrent;
  if (code === 'reauthentication_not_valid') return securityText.account.wrongCode;
  return errorMessage(error);
};

function ReauthenticationForm({ user, onCancel, onVerified }: ReauthenticationFormProps): React.JSX.Element {
  // A user without a password, for example from an OAuth provider, starts with an emailed code.
  const [method, setMethod] = useState<ReauthenticationMethod | undefined>(
    user.hasPassword ? 'password' : undefined,
  );
  const [chosen, setChosen] = useState(false);
  const [error, setError] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const choose = (next: ReauthenticationMethod): void => {
    setError(undefined);
    setChosen(true);
    setMethod(next);
  };
  const sendMutation = useSendCode(() => choose('code'));
  const showError = (error: string): void => {
    setError(error);
    input.current?.focus();
    input.current?.select();
  };
  const attempt = async (): Promise<boolean> => {
    if (method === undefined) {
      // useSendCode shows the error.
      await sendMutation.mutateAsync().catch(() => undefined);
      return false;
    }
    const parsed = (method === 'code' ? parseCode : readPassword)(input.current?.value ?? '');
    if (!parsed.ok) {
      showError(parsed.error);
      return false;
    }
    setError(undefined);
    await reauthenticate(method, parsed.value);
    onVerified();
    return false;
  };
  const { pending, submit } = useSubmit(attempt, (error) => showError(formatError(error)));
  return (
    <form noValidate className="grid gap-5" onSubmit={submit}>
      {/* Identifies the user to password managers. */}
      <input type="email" name="email" autoComplete="username" value={user.email} readOnly hidden />
      <div className="grid gap-2">
        {method === undefined ? (
          <p className="text-sm text-muted wrap-anywhere">{text.sendTo(user.email)}</p>
        ) : (
          <ReauthenticationField
            key={method}
            method={method}
            email={user.email}
            error={error}
            input={input}
            takesFocus={chosen}
          />
        )}
        {method !== undefined && <SwitchReauthenticationMethod method={method} onChoose={choose} />}
      </div>
      <FormActions
        cancelLabel={securityText.cancel}
        onCancel={onCancel}
        submitLabel={method === undefined ? text.send : text.submit}
        pending={pending}
        pendingLabel={method === undefined ? securityText.account.sendingCode : text.submitting}
      />
    </form>
  );
}
