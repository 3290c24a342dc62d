/** Field for reauthentication by the current password or by an emailed code. */
import { useState } from 'react';
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';
import * as z from 'zod/mini';
import { auth, unwrap } from '../../api/auth.ts';
import { ApiError, errorMessage } from '../../api/errors.ts';
import { hasFeature } from '../../api/runtime-config.ts';
import { FormField } from '../../forms/form-field.tsx';
import { type SubmitOptions, useSubmit } from '../../forms/use-submit.ts';
import { Button } from '../../ui/button.tsx';
import { PasswordInput } from '../../ui/password-input.tsx';
import { codeInputProps, codeValue } from './security-fields.tsx';
import { securityText } from './security-text.ts';

const text = securityText.account;

type ReauthenticationMethod = 'password' | 'code';

const schemas = {
  password: z.object({ credential: z.string().check(z.minLength(1, text.currentError)) }),
  code: z.object({ credential: codeValue }),
};

/** Returns the message at the field, or undefined if the credential did not cause the error. */
export const credentialError = (error: unknown): string | undefined => {
  const code = error instanceof ApiError ? error.code : '';
  if (code === 'current_password_invalid') return text.wrongCurrent;
  return code === 'reauthentication_not_valid' ? text.wrongCode : undefined;
};

const codeHelpText = (email: string): string =>
  hasFeature('local-mailbox') ? text.codeHelpTextWithoutMail(email) : text.codeHelpText(email);

/**
 * Returns the method of reauthentication, and the schema and the field properties of its credential.
 *
 * @param initial the method until the user chooses one; undefined if the user has no password
 */
export const useReauthenticationMethod = (email: string, initial: ReauthenticationMethod | undefined) => {
  const [chosen, choose] = useState<ReauthenticationMethod>();
  const method = chosen ?? initial;
  // After a switch the new field takes the focus. The dialog focuses its first field itself.
  const autoFocus = chosen !== undefined;
  return {
    method,
    /** False for a user without a password. */
    canUsePassword: initial === 'password',
    /** Undefined resets the method, after the dialog has closed. */
    choose,
    schema: schemas[method ?? 'code'],
    /** Returns the credential as in the body of a request. */
    toBody: (credential: string) =>
      method === 'password' ? { current_password: credential } : { nonce: credential },
    field:
      method === 'password'
        ? { label: text.current, control: PasswordInput, autoComplete: 'current-password', autoFocus }
        : { label: text.code, helpText: codeHelpText(email), ...codeInputProps, autoFocus },
  };
};

/**
 * Emails a reauthentication code to the user.
 *
 * @param onSent also called at the rate limit, because the code that was sent before is still valid
 */
export const sendCodeOptions = (onSent: () => void): SubmitOptions<unknown, unknown> => ({
  action: 'send-code',
  send: () => unwrap(auth.reauthenticate()),
  done: onSent,
  failed: (error) => {
    const alreadySent = error instanceof ApiError && error.code === 'over_email_send_rate_limit';
    if (alreadySent) onSent();
    return {
      title: alreadySent ? text.codeEarlier : text.codeFailed,
      description: errorMessage(error),
      variant: alreadySent ? 'default' : 'destructive',
    };
  },
});

interface ReauthenticationFieldProps<Input extends FieldValues, Output> {
  form: UseFormReturn<Input, unknown, Output>;
  email: string;
  credential: ReturnType<typeof useReauthenticationMethod>;
}

/** The field `credential` of a form, with a button that switches between password and emailed code. */
export function ReauthenticationField<Input extends { credential: string }, Output>({
  form,
  email,
  credential: { method, canUsePassword, field, choose },
}: ReauthenticationFieldProps<Input, Output>): React.JSX.Element {
  const name = 'credential' as Path<Input>;
  const switchTo = (next: ReauthenticationMethod): void => {
    form.resetField(name);
    choose(next);
  };
  const { pending, submit } = useSubmit(sendCodeOptions(() => switchTo('code')));
  return (
    <div className="grid gap-2">
      {/* Identifies the user to password managers. */}
      <input type="text" name="email" autoComplete="username" value={email} readOnly hidden />
      <FormField key={method} form={form} name={name} {...field} />
      {canUsePassword && (
        <Button
          variant="link"
          size="flush"
          className="justify-self-start"
          pending={pending}
          pendingLabel={text.sendingCode}
          onClick={() => (method === 'password' ? void submit(null) : switchTo('password'))}
        >
          {method === 'password' ? text.sendCode : text.byPassword}
        </Button>
      )}
    </div>
  );
}
