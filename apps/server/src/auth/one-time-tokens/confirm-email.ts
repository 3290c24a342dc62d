/** What it means that somebody has shown to read a mailbox. */
import { type Transaction, sql } from '@lanternrock/postgres';
import { allButProvenEmail, removeSignInMethods } from '../../sign-in-methods.ts';
import { revokeOtherSessions } from '../sessions/sessions.ts';
import type { UserRecord } from '../users/user-records.ts';

/**
 * Marks the address as confirmed. Somebody else may have made the unconfirmed account beforehand, so
 * every other way into it goes, and every session but `keepSession`; `dropPassword` takes the password
 * away from them, too.
 */
export async function confirmEmail(
  tx: Transaction,
  user: UserRecord,
  now: Date,
  {
    clearPassword,
    keepSession = null,
  }: { readonly clearPassword: boolean; readonly keepSession?: string | null },
): Promise<void> {
  if (user.email_confirmed_at) return;
  await removeSignInMethods(tx, user.id, now, allButProvenEmail);
  await revokeOtherSessions(tx, user.id, keepSession);
  await tx.query(sql`update auth.users set
      email_confirmed_at = ${now}, updated_at = ${now},
      encrypted_password = case when ${clearPassword}::boolean then null else encrypted_password end,
      raw_user_meta_data = raw_user_meta_data || '{"email_verified": true}'
    where id = ${user.id}`);
  await tx.query(sql`update auth.identities set
      identity_data = identity_data || '{"email_verified": true}', updated_at = ${now}
    where user_id = ${user.id} and provider = 'email'`);
}
