/** Sign-in, reset and set-password forms: rules and messages of specification section 5. */
import * as z from 'zod/mini';
import { emailField } from './email.ts';
import { minCodePoints } from './text-checks.ts';

/** Sign-in asks for 6 and setting a password for 8 characters; the specification has both. */
export const passwordMinLength = { signIn: 6, set: 8 } as const;

/** bcrypt's limit, kept for every stored hash so that no password is cut off silently. */
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
