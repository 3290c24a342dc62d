/** Schemas of the sign-in, reset and set-password forms. */
import * as z from 'zod/mini';
import { emailField } from './email.ts';
import { countCodePoints } from './text-checks.ts';

/** Code points. Sign-in accepts shorter passwords than setting a password does. */
export const passwordMinLength = { signIn: 6, set: 8 } as const;

/** The limit of bcrypt, which ignores further bytes. Applies to all hashes. */
export const passwordMaxBytes = 72;

/**
 * Maximum length of a password that is normalized, in code units. Unicode normalization takes quadratic time for runs of combining
 * marks, and the input can be a request body of any size. It makes no text ten times shorter, so a longer one is too long in
 * each form.
 */
const maxNormalizedLength = 10 * passwordMaxBytes;

/**
 * Returns the password as it is hashed and counted. Devices encode the same text differently (composed or decomposed, full
 * width, ligatures); NIST SP 800-63B-4 recommends NFKC or NFKD before hashing. NFKC is shorter, and does not change the
 * text that most keyboards produce.
 */
export const normalizePassword = (password: string): string =>
  password.length > maxNormalizedLength ? password : password.normalize('NFKC');

/** @param password normalized */
export const isPasswordTooLong = (password: string): boolean =>
  new TextEncoder().encode(password).length > passwordMaxBytes;

const invalidEmail = 'Invalid email address';

export const signInSchema = z.object({
  email: emailField(invalidEmail),
  password: z.string().check(
    // Either form: a password from before normalization can be shorter afterwards.
    z.refine(
      (text) =>
        Math.max(countCodePoints(text), countCodePoints(normalizePassword(text))) >= passwordMinLength.signIn,
      { error: 'Password must be at least 6 characters' },
    ),
  ),
});

export const resetRequestSchema = z.object({ email: emailField(invalidEmail) });

export const setPasswordSchema = z
  .object({
    password: z.string().check(
      z.refine((text) => countCodePoints(normalizePassword(text)) >= passwordMinLength.set, {
        error: 'Password must be at least 8 characters',
      }),
      z.refine((text) => !isPasswordTooLong(normalizePassword(text)), {
        error: 'Password cannot be longer than 72 bytes',
      }),
    ),
    confirmPassword: z.string(),
  })
  .check(
    z.refine((form) => normalizePassword(form.password) === normalizePassword(form.confirmPassword), {
      error: "Passwords don't match",
      path: ['confirmPassword'],
    }),
  );
