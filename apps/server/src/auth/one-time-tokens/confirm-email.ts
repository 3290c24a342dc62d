/** Marks an email address as confirmed. */
import { type Transaction, sql } from '@lanternrock/postgres';
import { exceptVerifiedEmail, removeSignInMethods } from '../../sign-in-methods.ts';
import { revokeSessions } from '../users/session-writes.ts';
import type { UserRecord } from '../users/user-records.ts';

/**
 * Marks the address as confirmed. Another person can have created the unconfirmed user, so every other sign-in method
 * is removed and every session except `keepSession` is revoked. `clearPassword` also removes the password.
 */
export async function confirmEmail(
  tx: Transaction,
  user: UserRecord,
  now: Date,
  {
    clearPassword,
    keepSession,
  }: { readonly clearPassword: boolean; readonly keepSession?: string | undefined },
): Promise<void> {
  if (user.email_confirmed_at) return;
  await removeSignInMethods(tx, user.id, now, exceptVerifiedEmail);
  await revokeSessions(tx, { userId: user.id, except: keepSession });
  await tx.query(sql`update auth.users set
      email_confirmed_at = ${now}, updated_at = ${now},
      encrypted_password = case when ${clearPassword}::boolean then null else encrypted_password end,
      raw_user_meta_data = raw_user_meta_data || '{"email_verified": true}'
    where id = ${user.id}`);
  await tx.query(sql`update auth.identities set
      identity_data = identity_data || '{"email_verified": true}', updated_at = ${now}
    where user_id = ${user.id} and provider = 'email'`);
}
