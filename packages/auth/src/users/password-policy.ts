/** Rejects new passwords that are too short, too long, common, or made of words that an attacker tries first. */
import { countCodePoints } from '@lanternrock/contract/text-checks';
import { isPasswordTooLong, normalizePassword } from '@lanternrock/contract/credentials';
import type { AuthSettings } from '../settings.ts';
import { AuthError } from '../auth-error.ts';
import { commonPasswords } from './common-passwords.ts';

export interface PasswordWeakness {
  readonly message: string;
  readonly reasons: readonly ('length' | 'characters' | 'pwned')[];
}

type PolicySettings = Pick<
  AuthSettings,
  'PASSWORD_MIN_LENGTH' | 'PASSWORD_WORDS' | 'PRODUCT_NAME' | 'PROFILE'
>;

/**
 * Returns the weakness of a password, or null. Length is counted in code points of the normalized password, as in the
 * form; all characters are allowed.
 */
export function findWeakness(
  input: string,
  config: PolicySettings,
  email: string | null,
): PasswordWeakness | null {
  const password = normalizePassword(input);
  const weaknesses: [PasswordWeakness['reasons'][number], string][] = [];
  if (countCodePoints(password) < config.PASSWORD_MIN_LENGTH) {
    weaknesses.push(['length', `Password should be at least ${config.PASSWORD_MIN_LENGTH} characters.`]);
  }
  if (config.PROFILE !== 'compat' && isEasilyGuessed(password, config, email)) {
    weaknesses.push([
      'pwned',
      'Password is known to be weak and easy to guess, please choose a different one.',
    ]);
  }
  if (weaknesses.length === 0) return null;
  return {
    message: weaknesses.map(([, text]) => text).join(' '),
    reasons: weaknesses.map(([reason]) => reason),
  };
}

function isEasilyGuessed(password: string, config: PolicySettings, email: string | null): boolean {
  const lowerCase = password.toLowerCase();
  const { PASSWORD_WORDS = [], PRODUCT_NAME } = config;
  const words = [...PASSWORD_WORDS, PRODUCT_NAME.toLowerCase(), email?.split('@')[0] ?? '', email ?? ''];
  // Such a word with a few digits or symbols around it.
  const trimmed = lowerCase.replace(/^[\d\W_]+|[\d\W_]+$/g, '');
  return (
    commonPasswords.has(lowerCase) ||
    words.some((word) => word.length >= 4 && (word === lowerCase || word === trimmed))
  );
}

/** @throws AuthError 400 above 72 bytes after normalization, of which bcrypt ignores the rest */
export function rejectLongPassword(password: string): void {
  if (isPasswordTooLong(normalizePassword(password))) throw longPasswordError();
}

/**
 * Sign-in also accepts a password that was set before passwords were normalized.
 *
 * @throws AuthError 400 above 72 bytes, with and without normalization
 */
export function rejectLongLogin(password: string): void {
  if (isPasswordTooLong(password) && isPasswordTooLong(normalizePassword(password)))
    throw longPasswordError();
}

const longPasswordError = (): AuthError =>
  new AuthError(400, 'validation_failed', 'Password cannot be longer than 72 characters');

/** @throws AuthError 400, 422 `weak_password` with reasons */
export function validateNewPassword(password: string, config: PolicySettings, email: string | null): void {
  rejectLongPassword(password);
  if (normalizePassword(password).includes('\0'))
    throw new AuthError(400, 'validation_failed', 'Password cannot contain NUL');
  const weakness = findWeakness(password, config, email);
  if (weakness) {
    throw new AuthError(422, 'weak_password', weakness.message, { details: { reasons: weakness.reasons } });
  }
}
