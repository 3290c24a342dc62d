/** What it means that somebody has shown to read a mailbox. */
import type { Transaction } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import type { UserRecord } from './user-records.ts';

/**
 * Marks the address as confirmed. Somebody else may have made the unconfirmed account beforehand and
 * chosen its password; `dropPassword` takes that password away from them.
 */
export async function confirmEmail(
  tx: Transaction,
  user: UserRecord,
  now: Date,
  { dropPassword }: { readonly dropPassword: boolean },
): Promise<void> {
  if (user.email_confirmed_at) return;
  await tx.query(sql`update auth.users set
      email_confirmed_at = ${now}, updated_at = ${now},
      encrypted_password = case when ${dropPassword}::boolean then null else encrypted_password end,
      raw_user_meta_data = raw_user_meta_data || '{"email_verified": true}'
    where id = ${user.id}`);
  await tx.query(sql`update auth.identities set
      identity_data = identity_data || '{"email_verified": true}', updated_at = ${now}
    where user_id = ${user.id} and provider = 'email'`);
}
