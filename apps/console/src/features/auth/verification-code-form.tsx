/** One code in one field: digits of an app, a message or a mail, or a recovery code. */
import { useEffect, useRef, useState } from 'react';
import type { AuthResult } from './auth-service.ts';
import { errorMessage } from '../../api/errors.ts';
import { Button } from '../../ui/button.tsx';
import { useSubmit } from '../../forms/use-submit.ts';
import { AuthField, AuthForm } from './auth-form.tsx';

interface CodeEntryProps {
  label: string;
  hint: string;
  submitLabel: string;
  kind?: 'digits' | 'recovery';
  onSubmit: (code: string) => Promise<AuthResult<null>>;
  onVerified: () => void;
}

/** What can be told without asking the service. */
const problemOf = (code: string, kind: 'digits' | 'recovery'): string | undefined => {
  if (kind === 'recovery') return code === '' ? 'Enter one of your recovery codes' : undefined;
  return /^\d{6}$/.test(code) ? undefined : 'Enter the six digits of the code';
};

/** The service's sentences name no way out; these do. */
const refusals: Readonly<Record<string, string>> = {
  mfa_verification_failed: 'This code is wrong or was used already. Wait for the next one and try again.',
  otp_expired:
    'This code is wrong, was used already or has expired. Ask for a new mail if you have no other.',
  mfa_factor_not_found: 'There is nothing to compare this code with. Choose another way, or start again.',
  mfa_recovery_codes_locked: 'Too many wrong recovery codes. Wait a quarter of an hour, or use another way.',
};
const recoveryRefusals: Readonly<Record<string, string>> = {
  ...refusals,
  mfa_verification_failed: 'This recovery code is wrong or was used already. Try another one.',
  mfa_factor_not_found: 'You have no recovery codes. Use another way, or ask an administrator for help.',
};

/** A wrong code says so at the field and keeps the focus there. */
export function VerificationCodeForm(props: CodeEntryProps): React.JSX.Element {
  const { label, hint, submitLabel, kind = 'digits', onSubmit, onVerified } = props;
  const [error, setError] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);

  /** True when the code was right: the next page is on its way. */
  const attempt = async (): Promise<boolean> => {
    const code = (input.current?.value ?? '').replaceAll(/\s/g, '');
    const problem = problemOf(code, kind) ?? (await messageOfFailure(onSubmit(code), kind));
    setError(problem);
    if (problem === undefined) {
      onVerified();
      return true;
    }
    input.current?.focus();
    input.current?.select();
    return false;
  };
  const { pending, submit } = useSubmit(attempt, (thrown) => setError(errorMessage(thrown)));

  return (
    <AuthForm onSubmit={submit}>
      <AuthField
        label={label}
        error={error}
        hint={hint}
        ref={input}
        name="code"
        inputMode={kind === 'digits' ? 'numeric' : 'text'}
        autoComplete={kind === 'digits' ? 'one-time-code' : 'off'}
        autoCapitalize={kind === 'digits' ? 'none' : 'characters'}
        spellCheck={false}
        maxLength={kind === 'digits' ? 9 : 40}
        className={kind === 'digits' ? 'text-lg tracking-[0.3em]' : 'tracking-wider'}
      />
      <Button type="submit" pending={pending} pendingLabel="Checking..." className="h-10">
        {submitLabel}
      </Button>
    </AuthForm>
  );
}

/** Undefined when the code was right. */
const messageOfFailure = async (
  attempt: Promise<AuthResult<null>>,
  kind: 'digits' | 'recovery',
): Promise<string | undefined> => {
  const outcome = await attempt;
  if (outcome.ok) return undefined;
  return (kind === 'recovery' ? recoveryRefusals : refusals)[outcome.error.code] ?? outcome.error.message;
};
