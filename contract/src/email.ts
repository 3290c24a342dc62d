/**
 * Which e-mail addresses the product takes (conformance reading A49): one plain address, one @,
 * a dot in the domain, no spaces, lists, comments or quoted local parts. Stored and compared in
 * lower case after trimming.
 */
import * as z from 'zod/mini';
import { atMost } from './text.ts';

export const emailMaximum = 255;

// Every part excludes its own separator, so matching is linear.
const plainAddress =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/;

/**
 * The form in which an address is stored and compared. Only ASCII letters are lowered: a look-alike
 * such as the Kelvin sign would otherwise become a "k" and pass as somebody else's address.
 */
export const normalizeEmail = (email: string): string =>
  email.trim().replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** True for one plain address, already in its normal form. */
export const isEmail = (email: string): boolean => {
  const local = email.slice(0, email.lastIndexOf('@'));
  return email.length <= emailMaximum && local.length <= 64 && plainAddress.test(email);
};

/** A field that holds one address. @param message the form's own wording. */
export const emailField = (message: string): z.ZodMiniType<string, string> =>
  z.pipe(
    z.pipe(z.string({ error: message }), z.transform(normalizeEmail)),
    z.string().check(atMost(emailMaximum, message), z.refine(isEmail, { error: message })),
  );
