/**
 * Revokes what gives access to a user, in the transaction of the caller: sessions, one-time tokens and sign-in methods
 * whose addition is pending.
 */
import { type Transaction, sql } from '@lanternrock/postgres';

interface RevokedSession {
  readonly id: string;
  readonly user_id: string;
  readonly created_at: Date;
}

/**
 * Revokes all sessions of a user, or all but one. Without the exception, the tokens of known devices become invalid,
 * too. Also cancels new sign-in methods, and authorization codes that were not exchanged.
 *
 * @param keepId ID of the session to keep
 */
export async function revokeUserSessions(
  tx: Transaction,
  userId: string,
  keepId: string | null = null,
): Promise<RevokedSession[]> {
  await cancelNewMethods(tx, userId);
  await deletePendingCodes(tx, userId);
  if (keepId === null)
    await tx.query(sql`update auth.users set device_epoch = device_epoch + 1 where id = ${userId}`);
  return tx.query(sql`delete from auth.sessions where user_id = ${userId} and id is distinct from ${keepId}::uuid
    returning id, user_id, created_at`);
}

/** Deletes authorization codes that were not exchanged: each could still create a session. That of an invitation stays. */
async function deletePendingCodes(tx: Transaction, userId: string): Promise<void> {
  await tx.query(sql`delete from auth.flow_state where user_id = ${userId} and auth_code_hash is not null
    and session_id is null and invite_token_hash is null`);
}

/** Deletes linkings that were not completed: a later response of the provider would add an identity. */
const deletePendingLinkings = (tx: Transaction, userId: string): Promise<unknown> =>
  tx.query(sql`delete from auth.flow_state where linking_target_id = ${userId}`);

/** Deletes the OAuth flows of a user that could still add an identity or create a session. */
export async function deletePendingFlows(tx: Transaction, userId: string): Promise<void> {
  await deletePendingLinkings(tx, userId);
  await deletePendingCodes(tx, userId);
}

/**
 * Cancels the addition of sign-in methods that a revoked session can have started. Otherwise a later response of a
 * provider would add an identity, and the code of a text message a phone number; both also create a session. A change
 * of the email address stays if the current mailbox has to confirm it.
 */
export async function cancelNewMethods(tx: Transaction, userId: string): Promise<void> {
  await deletePendingLinkings(tx, userId);
  await tx.query(sql`delete from auth.one_time_tokens t using auth.users u
    where t.user_id = ${userId} and u.id = t.user_id
      and (t.token_type = 'phone_change' or (t.token_type = 'email_change_new' and u.email is null))`);
  await tx.query(sql`update auth.users
    set phone_change = null, email_change = case when email is not null then email_change end
    where id = ${userId} and (phone_change is not null or email_change is not null)`);
}

/** Call it after a change of password or email address, so that no earlier email works. */
export async function deleteOneTimeTokens(tx: Transaction, userId: string): Promise<void> {
  await tx.query(sql`delete from auth.one_time_tokens where user_id = ${userId}`);
}
