/**
 * Validates and normalizes email addresses: one address with one @ and a dot in the domain, without spaces,
 * lists, comments or quoted local parts. The local part is ASCII; the domain can be internationalized.
 * Addresses are stored and compared without invisible characters and in lower case.
 */
import * as z from 'zod/mini';
import { countCodePoints, maxCodePoints } from './text-checks.ts';

export const emailMaxLength = 255;

// Each part excludes its separator, so matching takes linear time.
const plainAddress =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/;

/**
 * Letters, marks and digits of any script, joiners, periods and hyphens. Excludes characters with a meaning in a URL.
 */
const internationalDomain = /^[\u200d\u200c\p{L}\p{M}\p{N}.-]+$/u;

/**
 * Characters that cannot be seen and that programs add to copied addresses: marks of the text direction, zero-width spaces,
 * soft hyphens. The override U+202E is not among them, because it changes what is seen.
 */
const invisible =
  /[\u034f\ufe00-\ufe0f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202d\u2060-\u2064\u2066-\u206f\ufeff]+/g;

/** Joiners belong to a domain only between two letters of a script that needs them, which is not ASCII. */
const unusedJoiners = /([\u0000-\u007f]|^)[\u200d\u200c]+|[\u200d\u200c]+(?=[\u0000-\u007f]|$)/g;

/**
 * Returns true for a character that `toAsciiDomain` does not convert, also if it looks like a letter, a period or an @: one that
 * Unicode normalization replaces by another character, instead of composing or decomposing it.
 */
const isUnsupported = (character: string): boolean => {
  if (character <= '\u007f') return false;
  const composed = character.normalize('NFC');
  const isReplaced = composed !== character && countCodePoints(composed) === 1;
  return isReplaced || character.normalize('NFKC') !== composed || !internationalDomain.test(character);
};

/**
 * An old browser (Chrome before 110) converts transitionally, so that `straße` becomes `strasse`, a different domain.
 */
const isTransitional = (): boolean => new URL('http://\u00df.example').hostname !== 'xn--zca.example';

/**
 * Converts an internationalized domain to A-labels (RFC 5890) by UTS 46, non-transitional: `münchen.example` becomes
 * `xn--mnchen-3ya.example`. Browsers and Node.js implement it in `URL`. Compatibility characters are not converted, and
 * `isEmail` rejects them: a Kelvin sign would become a `k` and match the email address of another user.
 */
const toAsciiDomain = (domain: string): string => {
  if (Array.from(domain).some(isUnsupported)) return domain;
  // Before Unicode 15.1 (Node.js 22), a capital sharp s became `ss`.
  const composed = domain.normalize('NFC').replaceAll('\u1e9e', '\u00df');
  if (!internationalDomain.test(composed)) return domain;
  if (/[\u200d\u200c\u00df\u03c2]/.test(composed) && isTransitional()) return domain;
  const url = `http://${composed}`;
  const ascii = URL.canParse(url) ? new URL(url).hostname : domain;
  // `URL` converts a number to an IP address.
  return /^[\d.]+$/.test(ascii) ? domain : ascii;
};

/**
 * Maximum length of a domain that is converted, in code units. Unicode normalization takes quadratic time for runs of
 * combining marks, and the input can be a request body of any size. No longer domain has a short enough ASCII form.
 */
const maxDomainLength = 2 * emailMaxLength;

/** A longer text, in code units, is not an email address and does not change. */
const maxTextLength = 4 * emailMaxLength;

/**
 * Returns the normalized email address, which is stored, compared and shown. Only ASCII letters of the local
 * part are converted to lower case. The ASCII domain makes homoglyphs of other scripts visible.
 */
export const normalizeEmail = (email: string): string => {
  if (email.length > maxTextLength) return email;
  const visible = email.replace(invisible, '').replace(unusedJoiners, '$1').trim();
  const lowered = visible.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  const domain = lowered.slice(lowered.lastIndexOf('@') + 1);
  if (domain.length > maxDomainLength || !/[^\u0000-\u007f]/.test(domain)) return lowered;
  return lowered.slice(0, lowered.length - domain.length) + toAsciiDomain(domain);
};

/** Returns true for a single normalized email address. */
export const isEmail = (email: string): boolean => {
  const local = email.slice(0, email.lastIndexOf('@'));
  return email.length <= emailMaxLength && local.length <= 64 && plainAddress.test(email);
};

/** What a user can correct, by the first pattern that the rejected address matches. */
const corrections: readonly (readonly [RegExp, string])[] = [
  [/^mailto:/i, 'remove "mailto:"'],
  [/@.*[,;\s].*@/, 'enter one address only'],
  [/[<>]/, 'enter only the part between < and >'],
  [/[\u200d\u200c\u202e]/, 'remove the invisible characters'],
  [/\s/, 'remove the space'],
  [/\.$/, 'remove the period at the end'],
  [/^[^@\uff20]*[^\u0000-\u007f].*@/, 'use only the letters a to z before the @'],
];

/**
 * Appends what the user can correct to the message of a form, if it is known.
 *
 * @param email rejected, after normalization
 */
export const describeEmailError = (message: string, email: string): string => {
  if (email.length > maxDomainLength) return message;
  const correction = corrections.find(([pattern]) => pattern.test(email))?.[1];
  if (correction !== undefined) return `${message}: ${correction}`;
  const character = Array.from(email).find(isUnsupported);
  return character === undefined ? message : `${message}: "${character}" is not supported`;
};

/** Returns the schema of a field with one email address. @param message the error message of the form */
export const emailField = (message: string): z.ZodMiniType<string, string> =>
  z.pipe(
    z.pipe(z.string({ error: message }), z.transform(normalizeEmail)),
    z
      .string()
      .check(
        maxCodePoints(emailMaxLength, message),
        z.refine(isEmail, { error: ({ input }) => describeEmailError(message, String(input)) }),
      ),
  );

/** Returns the schema of a field with one email address or none, which becomes null. @param message as in `emailField` */
export const optionalEmail = (message: string): z.ZodMiniType<string | null, string> => {
  const required = emailField(message);
  return z.pipe(
    z.pipe(z.string({ error: message }), z.transform(normalizeEmail)),
    z.pipe(
      z.string().check((context) => {
        if (context.value === '') return;
        const { error } = required.safeParse(context.value);
        if (error)
          context.issues.push({
            code: 'custom',
            message: error.issues[0]?.message ?? message,
            input: context.value,
          });
      }),
      z.transform((email) => (email === '' ? null : email)),
    ),
  );
};
