/** The only statements that write `auth.users`. They run in the transaction of the caller. */
import { type Transaction, sql } from '@lanternrock/postgres';

/**
 * Records the time of a sign-in, and locks the user.
 *
 * @returns false if the user is banned or deleted
 */
export async function recordSignIn(tx: Transaction, userId: string, now: Date): Promise<boolean> {
  const [updated] = await tx.query(sql`update auth.users set last_sign_in_at = ${now}, updated_at = ${now}
    where id = ${userId} and deleted_at is null and (banned_until is null or banned_until <= ${now}) returning id`);
  return updated !== undefined;
}

/** Invalidates the tokens of devices that signed in with the password before. */
export async function invalidateDevices(tx: Transaction, userId: string): Promise<void> {
  await tx.query(sql`update auth.users set device_epoch = device_epoch + 1 where id = ${userId}`);
}
