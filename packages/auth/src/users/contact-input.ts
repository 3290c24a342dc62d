/** Parses email addresses and phone numbers to the normalized form that is stored and compared. */
import { isEmail, normalizeEmail } from '@lanternrock/contract/email';
import { AuthError } from '../auth-error.ts';

/** @returns the normalized address, null for an invalid one */
export function tryParseEmail(text: string): string | null {
  const email = normalizeEmail(text);
  return isEmail(email) ? email : null;
}

/** @throws AuthError 400 with the messages of Supabase Auth */
export function parseRequiredEmail(text: string): string {
  if (text.trim() === '') throw new AuthError(400, 'validation_failed', 'An email address is required');
  const email = tryParseEmail(text);
  if (email === null) {
    throw new AuthError(400, 'validation_failed', 'Unable to validate email address: invalid format');
  }
  return email;
}

/** @returns E.164 without the plus sign, null for an invalid number */
export function tryParsePhone(text: string): string | null {
  const digits = text
    .trim()
    .replace(/^\+/, '')
    .replaceAll(/[ ()-]/g, '');
  return /^[1-9]\d{6,14}$/.test(digits) ? digits : null;
}

export function parseRequiredPhone(text: string): string {
  const phone = tryParsePhone(text);
  if (phone === null)
    throw new AuthError(400, 'validation_failed', 'Invalid phone number format (E.164 required)');
  return phone;
}
