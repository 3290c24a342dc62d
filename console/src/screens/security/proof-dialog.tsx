/** Takes the proof that the service asks for before a sensitive change: a second factor, the password or an emailed code. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { requestAuth } from '../../backend-auth.ts';
import { BackendError, errorMessage } from '../../backend-error.ts';
import { SecondFactorForm } from '../../shell/second-factor-form.tsx';
import { Dialog, FormActions } from '../../ui/dialog.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { useSubmit } from '../../ui/use-submission.ts';
import { parseCode } from './code-input.ts';
import { useProofRequest } from './fresh-session.ts';
import {
  SwitchReauthenticationMethod,
  type ReauthenticationMethod,
  ReauthenticationField,
  readPassword,
  useSendCode,
} from './password-proof.tsx';
import { type CurrentUser, currentUserQuery } from './security-queries.ts';
import { securityText } from './security-text.ts';

const text = securityText.proof;

/** Stands once on the page. */
export function ProofDialog(): React.JSX.Element {
  const request = useProofRequest();
  const {
    data: user,
    error,
    isFetching,
    refetch,
  } = useQuery({
    ...currentUserQuery,
    enabled: request !== undefined,
  });
  const settle = request?.settle;
  // Without the page there is no dialog that could take the proof.
  useEffect(() => () => settle?.(false), [settle]);
  const factor = user !== undefined && user.factors.length > 0;
  return (
    <Dialog
      // Once it knows which proof to take, so that the focus goes to its field.
      open={request !== undefined && (user !== undefined || error !== null)}
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
        <OwnerForm user={user} onCancel={() => settle?.(false)} onProven={() => settle?.(true)} />
      )}
    </Dialog>
  );
}

interface OwnerFormProps {
  user: CurrentUser;
  onCancel: () => void;
  onProven: () => void;
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

function OwnerForm({ user, onCancel, onProven }: OwnerFormProps): React.JSX.Element {
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
    onProven();
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
