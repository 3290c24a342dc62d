/** Schemas of the sign-in, reset and set-password forms. */
import * as z from 'zod/mini';
import { emailField } from './email.ts';
import { minCodePoints } from './text-checks.ts';

/** Code points. Sign-in accepts shorter passwords than setting a password does. */
export const passwordMinLength = { signIn: 6, set: 8 } as const;

/** The limit of bcrypt, which ignores further bytes. Applies to all hashes. */
export const passwordMaxBytes = 72;

const invalidEmail = 'Invalid email address';

export const signInSchema = z.object({
  email: emailField(invalidEmail),
  password: z
    .string()
    .check(minCodePoints(passwordMinLength.signIn, 'Password must be at least 6 characters')),
});

export const resetRequestSchema = z.object({ email: emailField(invalidEmail) });

export const setPasswordSchema = z
  .object({
    password: z.string().check(
      minCodePoints(passwordMinLength.set, 'Password must be at least 8 characters'),
      z.refine((text) => new TextEncoder().encode(text).length <= passwordMaxBytes, {
        error: 'Password cannot be longer than 72 bytes',
      }),
    ),
    confirmPassword: z.string(),
  })
  .check(
    z.refine((form) => form.password === form.confirmPassword, {
      error: "Passwords don't match",
      path: ['confirmPassword'],
    }),
  );
