/** Form with one field for a six-digit code or a recovery code. */
import { useEffect, useRef, useState } from 'react';
import type { AuthResult } from './auth-service.ts';
import { errorMessage } from '../../api/errors.ts';
import { Button } from '../../ui/button.tsx';
import { useSubmit } from '../../forms/use-submit.ts';
import { AuthField, AuthForm } from './auth-form.tsx';

interface VerificationCodeFormProps {
  label: string;
  helpText: string;
  submitLabel: string;
  kind?: 'digits' | 'recovery';
  onSubmit: (code: string) => Promise<AuthResult<null>>;
  onVerified: () => void;
}

/** Validates the format. Returns undefined for a valid code. */
const validateCode = (code: string, kind: 'digits' | 'recovery'): string | undefined => {
  if (kind === 'recovery') return code === '' ? 'Enter one of your recovery codes' : undefined;
  return /^\d{6}$/.test(code) ? undefined : 'Enter the six-digit code';
};

/** Replace the messages of the service, which do not say how to recover. */
const errorMessages: Readonly<Record<string, string>> = {
  mfa_verification_failed:
    'This code is incorrect or was already used. Wait for the next code and try again.',
  otp_expired: 'This code is incorrect, was already used or has expired. Request a new email.',
  mfa_factor_not_found: 'This factor no longer exists. Choose another method or start again.',
  mfa_recovery_codes_locked: 'Too many incorrect recovery codes. Wait 15 minutes or use another method.',
};
const recoveryErrorMessages: Readonly<Record<string, string>> = {
  ...errorMessages,
  mfa_verification_failed: 'This recovery code is incorrect or was already used. Try another one.',
  mfa_factor_not_found: 'You have no recovery codes. Use another method or ask an administrator for help.',
};

/** An incorrect code shows an error at the field, which keeps the focus. */
export function VerificationCodeForm(props: VerificationCodeFormProps): React.JSX.Element {
  const { label, helpText, submitLabel, kind = 'digits', onSubmit, onVerified } = props;
  const [error, setError] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);

  /** Returns true if the code was correct. The button then stays pending until the next page opens. */
  const attempt = async (): Promise<boolean> => {
    const code = (input.current?.value ?? '').replaceAll(/\s/g, '');
    const message = validateCode(code, kind) ?? (await findErrorMessage(onSubmit(code), kind));
    setError(message);
    if (message === undefined) {
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
        helpText={helpText}
        ref={input}
        name="code"
        inputMode={kind === 'digits' ? 'numeric' : 'text'}
        autoComplete={kind === 'digits' ? 'one-time-code' : 'off'}
        autoCapitalize={kind === 'digits' ? 'none' : 'characters'}
        spellCheck={false}
        maxLength={kind === 'digits' ? 9 : 40}
        size={kind === 'digits' ? 'code' : 'lg'}
        className={kind === 'digits' ? undefined : 'tracking-wider'}
      />
      <Button type="submit" pending={pending} pendingLabel="Checking..." size="lg">
        {submitLabel}
      </Button>
    </AuthForm>
  );
}

/** Returns undefined if the code was correct. */
const findErrorMessage = async (
  attempt: Promise<AuthResult<null>>,
  kind: 'digits' | 'recovery',
): Promise<string | undefined> => {
  const outcome = await attempt;
  if (outcome.ok) return undefined;
  return (
    (kind === 'recovery' ? recoveryErrorMessages : errorMessages)[outcome.error.code] ?? outcome.error.message
  );
};
