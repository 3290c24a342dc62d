/**
 * Which e-mail addresses the product takes (conformance reading A49): one plain address, one @,
 * a dot in the domain, no spaces, lists, comments or quoted local parts. The local part is ASCII, the
 * domain may be international. Stored and compared in lower case after trimming.
 */
import * as z from 'zod/mini';
import { maxCodePoints } from './text-checks.ts';

export const emailMaxLength = 255;

// Every part excludes its own separator, so matching is linear.
const plainAddress =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/;

/** Letters, digits and what joins them, in any script; nothing that has a meaning in a URL. */
const internationalDomain = /^[\p{L}\p{M}\p{N}.-]+$/u;

/**
 * An international domain in the form that mail servers take (RFC 5890): "münchen.example" becomes
 * "xn--mnchen-3ya.example". Compatibility characters stay as they are and are refused later: a Kelvin
 * sign would otherwise become a "k" and pass as somebody else's address.
 */
const asciiDomain = (domain: string): string => {
  const plain = domain.normalize('NFKC') === domain && internationalDomain.test(domain);
  const url = `http://${domain}`;
  return plain && URL.canParse(url) ? new URL(url).hostname : domain;
};

/**
 * The form in which an address is stored, compared and shown; look-alike letters of other scripts
 * cannot hide in it. Only ASCII letters of the local part are lowered.
 */
export const normalizeEmail = (email: string): string => {
  const lowered = email.trim().replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  const domain = lowered.slice(lowered.lastIndexOf('@') + 1);
  if (!/[^\u0000-\u007f]/.test(domain)) return lowered;
  return lowered.slice(0, lowered.length - domain.length) + asciiDomain(domain);
};

/** True for one plain address, already in its normal form. */
export const isEmail = (email: string): boolean => {
  const local = email.slice(0, email.lastIndexOf('@'));
  return email.length <= emailMaxLength && local.length <= 64 && plainAddress.test(email);
};

/** A field that holds one address. @param message the form's own wording. */
export const emailField = (message: string): z.ZodMiniType<string, string> =>
  z.pipe(
    z.pipe(z.string({ error: message }), z.transform(normalizeEmail)),
    z.string().check(maxCodePoints(emailMaxLength, message), z.refine(isEmail, { error: message })),
  );
