/** Input of a six-digit code from an authenticator app, a text message or an email. */
import { securityText } from './security-text.ts';
import type { ParseResult } from './single-field-form.tsx';

export const codeInputProps = {
  name: 'code',
  inputMode: 'numeric',
  autoComplete: 'one-time-code',
  spellCheck: false,
  maxLength: 9,
  size: 'code',
} as const;

export const parseCode = (typed: string): ParseResult => {
  const value = typed.replaceAll(/\s/g, '');
  return /^\d{6}$/.test(value) ? { ok: true, value } : { ok: false, error: securityText.code.error };
};
