/** Addresses as callers type them, brought into the one form that is stored and compared. */
import { isEmail, normalizeEmail } from '@lanternrock/contract/email';
import { ApiError } from '../../errors.ts';

/** The normal form, or null for anything that is not one plain address. Never throws. */
export function tryParseEmail(text: string): string | null {
  const email = normalizeEmail(text);
  return isEmail(email) ? email : null;
}

/** @throws ApiError 400 with the contract's sentences (4.14) */
export function parseRequiredEmail(text: string): string {
  if (text.trim() === '') throw new ApiError(400, 'validation_failed', 'An email address is required');
  const email = tryParseEmail(text);
  if (email === null) {
    throw new ApiError(400, 'validation_failed', 'Unable to validate email address: invalid format');
  }
  return email;
}

/** E.164 without its plus sign, or null. */
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
    throw new ApiError(400, 'validation_failed', 'Invalid phone number format (E.164 required)');
  return phone;
}
