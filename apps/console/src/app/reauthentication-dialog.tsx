/** Reauthenticates the user before a sensitive change: by a second factor, the password or an emailed code. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { requestAuth } from '../api/auth.ts';
import { BackendError, errorMessage } from '../api/errors.ts';
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

const text = securityText.proof;

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
  // A dialog that is unmounted cannot answer its request.
  useEffect(() => () => settle?.(false), [settle]);
  const factor = user !== undefined && user.factors.length > 0;
  return (
    <Dialog
      // Opens when the method is known, so that the focus goes to its field.
      open={open && (user !== undefined || error !== null)}
      title={text.title}
      description={factor ? text.byFactor : text.description}
      className="max-w-md"
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
        <OwnerForm user={user} onCancel={() => settle?.(false)} onVerified={() => settle?.(true)} />
      )}
    </Dialog>
  );
}

interface OwnerFormProps {
  user: CurrentUser;
  onCancel: () => void;
  onVerified: () => void;
}

const prove = (proof: ReauthenticationMethod, value: string): Promise<unknown> =>
  requestAuth('/reauthenticate', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(proof === 'password' ? { current_password: value } : { nonce: value }),
  });

const problemOf = (failure: unknown): string => {
  const code = failure instanceof BackendError ? failure.code : '';
  if (code === 'current_password_invalid') return securityText.account.wrongCurrent;
  if (code === 'reauthentication_not_valid') return securityText.account.wrongCode;
  return errorMessage(failure);
};

function OwnerForm({ user, onCancel, onVerified }: OwnerFormProps): React.JSX.Element {
  // Users who came by a provider may have no password: they begin with a code.
  const [proof, setProof] = useState<ReauthenticationMethod | undefined>(
    user.hasPassword ? 'password' : undefined,
  );
  const [chosen, setChosen] = useState(false);
  const [error, setError] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const choose = (next: ReauthenticationMethod): void => {
    setError(undefined);
    setChosen(true);
    setProof(next);
  };
  const sends = useSendCode(() => choose('code'));
  const refuse = (problem: string): void => {
    setError(problem);
    input.current?.focus();
    input.current?.select();
  };
  const attempt = async (): Promise<boolean> => {
    if (proof === undefined) {
      // A failure is shown by the sending itself.
      await sends.mutateAsync().catch(() => undefined);
      return false;
    }
    const reading = (proof === 'code' ? parseCode : readPassword)(input.current?.value ?? '');
    if (!reading.ok) {
      refuse(reading.problem);
      return false;
    }
    setError(undefined);
    await prove(proof, reading.value);
    onVerified();
    return false;
  };
  const { pending, submit } = useSubmit(attempt, (failure) => refuse(problemOf(failure)));
  return (
    <form noValidate className="grid gap-5" onSubmit={submit}>
      {/* For password managers: without it they would not know whose password they fill in. */}
      <input type="email" name="email" autoComplete="username" value={user.email} readOnly hidden />
      <div className="grid gap-2">
        {proof === undefined ? (
          <p className="text-sm text-muted wrap-anywhere">{text.sendTo(user.email)}</p>
        ) : (
          <ReauthenticationField
            key={proof}
            proof={proof}
            email={user.email}
            error={error}
            input={input}
            takesFocus={chosen}
          />
        )}
        {proof !== undefined && <SwitchReauthenticationMethod proof={proof} onChoose={choose} />}
      </div>
      <FormActions
        cancelLabel={securityText.cancel}
        onCancel={onCancel}
        submitLabel={proof === undefined ? text.send : text.submit}
        pending={pending}
        pendingLabel={proof === undefined ? securityText.account.sendingCode : text.submitting}
      />
    </form>
  );
}
