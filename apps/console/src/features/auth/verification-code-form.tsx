/** Form with one field for a six-digit code or a recovery code. */
import { normalizeCode } from '@lanternrock/contract/typed-code';
import { useEffect, useRef } from 'react';
import { ApiError, errorMessage } from '../../api/errors.ts';
import { Button } from '../../ui/button.tsx';
import { InputError, useUncontrolledForm } from '../../forms/use-uncontrolled-form.ts';
import { AuthField, AuthForm } from './auth-form.tsx';

interface VerificationCodeFormProps {
  label: string;
  helpText: string;
  submitLabel: string;
  kind?: 'digits' | 'recovery';
  onSubmit: (code: string) => Promise<unknown>;
  onVerified: () => void;
}

/** Returns a code of the right format. @throws InputError */
const requireCode = (code: string, kind: 'digits' | 'recovery'): string => {
  const isValid = kind === 'recovery' ? code !== '' : /^\d{6}$/.test(code);
  if (isValid) return code;
  throw new InputError({
    code: kind === 'recovery' ? 'Enter one of your recovery codes' : 'Enter the six-digit code',
  });
};

/** Replace the messages of the service, which do not say how to recover. */
const errorMessages: Readonly<Record<string, string>> = {
  mfa_verification_failed: 'This code is incorrect or was already used. Enter a new code.',
  mfa_challenge_expired: 'This code has expired. Request another one.',
  // The challenge of the code has been used.
  mfa_ip_address_mismatch: 'This code was already used. Request another one.',
  otp_expired: 'This code is incorrect, was already used or has expired. Request a new email.',
  mfa_factor_not_found: 'This factor no longer exists. Choose another method or start again.',
  mfa_recovery_codes_locked: 'Too many incorrect recovery codes. Wait 15 minutes or use another method.',
};
const recoveryErrorMessages: Readonly<Record<string, string>> = {
  ...errorMessages,
  mfa_verification_failed: 'This recovery code is incorrect or was already used. Try another one.',
  mfa_factor_not_found: 'You have no recovery codes. Use another method or ask an administrator for help.',
};

const findErrorMessage = (error: unknown, kind: 'digits' | 'recovery'): string => {
  const code = error instanceof ApiError ? error.code : '';
  return (kind === 'recovery' ? recoveryErrorMessages : errorMessages)[code] ?? errorMessage(error);
};

/** An incorrect code shows an error at the field, which keeps the focus. */
export function VerificationCodeForm(props: VerificationCodeFormProps): React.JSX.Element {
  const { label, helpText, submitLabel, kind = 'digits', onSubmit, onVerified } = props;
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const {
    errors,
    pending,
    onSubmit: handleSubmit,
  } = useUncontrolledForm({
    action: 'verify-code',
    // The button stays pending until the next page opens.
    leaves: true,
    send: async ({ code = '' }) => onSubmit(requireCode(normalizeCode(code), kind)),
    done: onVerified,
    fieldErrors: (error) => ({ code: findErrorMessage(error, kind) }),
  });

  return (
    <AuthForm onSubmit={handleSubmit}>
      <AuthField
        label={label}
        error={errors['code']}
        helpText={helpText}
        ref={input}
        name="code"
        inputMode={kind === 'digits' ? 'numeric' : 'text'}
        autoComplete={kind === 'digits' ? 'one-time-code' : 'off'}
        autoCapitalize={kind === 'digits' ? 'none' : 'characters'}
        spellCheck={false}
        maxLength={kind === 'digits' ? 24 : 60}
        size={kind === 'digits' ? 'code' : 'lg'}
        className={kind === 'digits' ? undefined : 'tracking-wider'}
      />
      <Button type="submit" pending={pending} pendingLabel="Checking..." size="lg">
        {submitLabel}
      </Button>
    </AuthForm>
  );
}
