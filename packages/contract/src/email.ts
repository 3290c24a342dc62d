/**
 * Validates and normalizes email addresses: one address with one @ and a dot in the domain, without spaces,
 * lists, comments or quoted local parts. The local part is ASCII; the domain can be internationalized.
 * Addresses are stored and compared trimmed and in lower case.
 */
import * as z from 'zod/mini';
import { maxCodePoints } from './text-checks.ts';

export const emailMaxLength = 255;

// Each part excludes its separator, so matching takes linear time.
const plainAddress =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/;

/**
 * Letters, marks and digits of any script, periods and hyphens. Excludes characters with a meaning in a URL.
 */
const internationalDomain = /^[\p{L}\p{M}\p{N}.-]+$/u;

/**
 * Converts an internationalized domain to A-labels (RFC 5890): `münchen.example` becomes
 * `xn--mnchen-3ya.example`. Compatibility characters are not converted, and `isEmail` rejects them: a Kelvin
 * sign would become a `k` and match the email address of another user.
 */
const toAsciiDomain = (domain: string): string => {
  const isPlain = domain.normalize('NFKC') === domain && internationalDomain.test(domain);
  const url = `http://${domain}`;
  return isPlain && URL.canParse(url) ? new URL(url).hostname : domain;
};

/**
 * Maximum length of a domain that is converted, in code units. Unicode normalization takes quadratic time for runs of
 * combining marks, and the input can be a request body of any size. No longer domain has a short enough ASCII form.
 */
const maxDomainLength = 2 * emailMaxLength;

/**
 * Returns the normalized email address, which is stored, compared and shown. Only ASCII letters of the local
 * part are converted to lower case. The ASCII domain makes homoglyphs of other scripts visible.
 */
export const normalizeEmail = (email: string): string => {
  const lowered = email.trim().replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  const domain = lowered.slice(lowered.lastIndexOf('@') + 1);
  if (domain.length > maxDomainLength || !/[^\u0000-\u007f]/.test(domain)) return lowered;
  return lowered.slice(0, lowered.length - domain.length) + toAsciiDomain(domain);
};

/** Returns true for a single normalized email address. */
export const isEmail = (email: string): boolean => {
  const local = email.slice(0, email.lastIndexOf('@'));
  return email.length <= emailMaxLength && local.length <= 64 && plainAddress.test(email);
};

/** Returns the schema of a field with one email address. @param message the error message of the form */
export const emailField = (message: string): z.ZodMiniType<string, string> =>
  z.pipe(
    z.pipe(z.string({ error: message }), z.transform(normalizeEmail)),
    z.string().check(maxCodePoints(emailMaxLength, message), z.refine(isEmail, { error: message })),
  );
