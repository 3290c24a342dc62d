/** Sign-in methods other than email and password, as `GET /auth/v1/user/sign-in-methods` lists them. */
import * as z from 'zod/mini';

const signInMethodSchema = z.object({
  /** Identifies the method in `keep_sign_in_methods` of `PUT /auth/v1/user`. */
  id: z.string(),
  kind: z.enum(['passkey', 'identity', 'phone']),
  /** Name of the passkey; provider and its account, such as `google: ann@example.org`; phone number. */
  name: z.string(),
  /** RFC 3339. */
  created_at: z.string(),
  /** RFC 3339; null if it was never used, or if its use is not recorded. */
  last_used_at: z.nullable(z.string()),
});

/** Response of `GET /auth/v1/user/sign-in-methods` with status 200, oldest first. */
export const signInMethodsSchema = z.array(signInMethodSchema);

export type SignInMethod = z.output<typeof signInMethodSchema>;
