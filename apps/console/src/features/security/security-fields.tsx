/** The name field and the code field of the dialogs on the security screen. */
import { fullNameField } from '@lanternrock/contract/invitations';
import { minCodePoints, maxCodePoints, noControlCharacters } from '@lanternrock/contract/text-checks';
import { normalizeCode } from '@lanternrock/contract/typed-code';
import type { UseFormReturn } from 'react-hook-form';
import * as z from 'zod/mini';
import { ApiError, errorMessage } from '../../api/errors.ts';
import { FormField } from '../../forms/form-field.tsx';
import { securityText } from './security-text.ts';

const text = securityText.nameField;

const deviceNameSchema = z.object({
  name: z
    .string()
    .check(z.trim(), noControlCharacters, minCodePoints(1, text.required), maxCodePoints(60, text.tooLong)),
});

/** Applies the rules of the full name in an invitation. */
export const fullNameSchema = z.object({ name: fullNameField });

interface NameFieldOptions {
  /** Defaults to the rules of device names. */
  schema?: typeof deviceNameSchema;
  helpText?: string;
  autoComplete?: 'off' | 'name';
}

interface Name {
  name: string;
}

/** Returns the properties of a `FormDialog` with one field, a name. */
export const nameField = (name: string, { schema = deviceNameSchema, ...field }: NameFieldOptions = {}) => ({
  size: 'md' as const,
  schema,
  defaults: { name },
  fieldErrors: (error: unknown): Name => ({ name: errorMessage(error) }),
  children: (form: UseFormReturn<Name, unknown, Name>) => (
    <FormField form={form} name="name" label={text.label} spellCheck={false} {...field} />
  ),
});

/** Properties of an input for a six-digit code from an authenticator app, a text message or an email. */
export const codeInputProps = {
  inputMode: 'numeric',
  autoComplete: 'one-time-code',
  spellCheck: false,
  maxLength: 24,
  size: 'code',
} as const;

export const codeValue = z
  .string()
  .check(z.overwrite(normalizeCode), z.regex(/^\d{6}$/, securityText.code.error));

interface Code {
  code: string;
}

/**
 * Returns the properties of the last step of a `FormDialog` that adds a second factor: its code.
 *
 * @param content shown above the field
 */
export const codeField = (helpText: string, wrongCode: string, content?: React.ReactNode) => ({
  step: 'code',
  schema: z.object({ code: codeValue }),
  defaults: { code: '' },
  fieldErrors: (error: unknown): Code => ({
    code:
      error instanceof ApiError && error.code === 'mfa_verification_failed' ? wrongCode : errorMessage(error),
  }),
  submitLabel: securityText.code.submit,
  pendingLabel: securityText.code.submitting,
  children: (form: UseFormReturn<Code, unknown, Code>) => (
    <>
      {content}
      <FormField
        form={form}
        name="code"
        label={securityText.code.label}
        helpText={helpText}
        {...codeInputProps}
      />
    </>
  ),
});

/** Returns the first suggestion that is not in use, for example 'Security key 2' if 'Security key' exists. */
export const findUnusedName = (
  suggestion: (number: number) => string,
  usedNames: readonly (string | undefined)[],
): string => {
  let number = 1;
  while (usedNames.includes(suggestion(number))) number += 1;
  return suggestion(number);
};
