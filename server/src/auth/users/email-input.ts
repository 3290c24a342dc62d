/** Addresses as callers type them, brought into the one form that is stored and compared. */
import { isEmail, normalizeEmail } from '@lanternrock/contract/email';
import { Refusal } from '../../errors.ts';

/** The normal form, or null for anything that is not one plain address. Never throws. */
export function asEmail(text: string): string | null {
  const email = normalizeEmail(text);
  return isEmail(email) ? email : null;
}

/** @throws Refusal 400 with the contract's sentences (4.14) */
export function requireEmail(text: string): string {
  if (text.trim() === '') throw new Refusal(400, 'validation_failed', 'An email address is required');
  const email = asEmail(text);
  if (email === null) {
    throw new Refusal(400, 'validation_failed', 'Unable to validate email address: invalid format');
  }
  return email;
}

/** E.164 without its plus sign, or null. */
export function asPhone(text: string): string | null {
  const digits = text
    .trim()
    .replace(/^\+/, '')
    .replaceAll(/[ ()-]/g, '');
  return /^[1-9]\d{6,14}$/.test(digits) ? digits : null;
}

export function requirePhone(text: string): string {
  const phone = asPhone(text);
  if (phone === null)
    throw new Refusal(400, 'validation_failed', 'Invalid phone number format (E.164 required)');
  return phone;
}
