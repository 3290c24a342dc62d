/**
 * Protects administrators whose second factor is a passkey. While the product requires a second factor of them, a session
 * that only the password created must not add another one, or remove the passkey and then add one.
 */
import type { Transaction } from '@lanternrock/postgres';
import { AuthError } from '../auth-error.ts';
import type { AuthContext } from '../auth-context.ts';
import { passkeysGiveAal2 } from '../settings.ts';
import { hasVerifyingPasskey } from '../users/sign-in-methods.ts';
import type { SignedInUser } from './require-user.ts';

/**
 * Returns the error for adding a second factor, or adding or removing a passkey, in a session at AAL1; null if it is allowed.
 * A passkey that never verified the user does not count: its owner could not sign in at AAL2.
 */
export async function findPasskeyError(
  tx: Transaction,
  { config, hooks }: AuthContext,
  { user, session }: SignedInUser,
): Promise<AuthError | null> {
  if (session?.aal === 'aal2' || user.has_verified_factor || !passkeysGiveAal2(config)) return null;
  if (!(await hasVerifyingPasskey(tx, user.id)) || !(await hooks.requiresSecondFactor(tx, user.id)))
    return null;
  return new AuthError(
    403,
    'insufficient_aal',
    'Sign in with your passkey before you change second factors or passkeys. If you lost it, reset your password by email',
  );
}

/**
 * The same in the transaction of the change, in which a concurrent call can have added a passkey.
 *
 * @throws AuthError 403 `insufficient_aal`
 */
export async function requirePasskey(
  tx: Transaction,
  context: AuthContext,
  signedInUser: SignedInUser,
): Promise<void> {
  const error = await findPasskeyError(tx, context, signedInUser);
  if (error) throw error;
}
