/** Users and sessions for the code of a product, in its transactions. */
import { type Transaction, sql } from '@lanternrock/postgres';
import { writeAuditEntry, type AuditEntry } from './audit.ts';
import { deleteOneTimeTokens, revokeUserSessions } from './users/revocation.ts';
import { formatFactorLabel } from './security-notices.ts';
import { revokeSessionsExceptInvited } from './sessions/session-writes.ts';
import { allMethods, exceptVerifiedEmail, removeSignInMethods } from './users/sign-in-methods.ts';
import { createUser, resetUser } from './users/user-writes.ts';
import type { FactorRecord, UserRecord } from './users/user-records.ts';

export { revokeInvitedSessions, revokeSessionById } from './sessions/session-writes.ts';
export { revokeUserSessions } from './users/revocation.ts';
export { findUserByEmail, findUserById, lockUserByEmail } from './users/user-records.ts';
export { hasVerifyingPasskey } from './users/sign-in-methods.ts';
export { blockUser, unblockUser } from './users/user-writes.ts';

export interface InvitableUser {
  readonly id: string;
  /** Banned or deleted. */
  readonly isBlocked: boolean;
  /** Has a sign-in method and a confirmed email address. */
  readonly canSignIn: boolean;
}

/** Finds a user, including a deleted one. Lock the email address with `lockUserByEmail` first. */
export async function findInvitableUser(
  tx: Transaction,
  email: string,
  now: Date,
): Promise<InvitableUser | null> {
  const [row] = await tx.query<InvitableUser>(sql`select u.id,
      u.deleted_at is not null or coalesce(u.banned_until > ${now}, false) as "isBlocked",
      u.email_confirmed_at is not null and auth.has_sign_in_method(u.id) as "canSignIn"
    from auth.users u where u.email = ${email}`);
  return row ?? null;
}

export interface InvitedUser {
  /** Normalized. */
  readonly email: string;
  readonly fullName: string;
  readonly now: Date;
}

/**
 * Prepares the user of an invitation:
 * - A new user, or one who cannot sign in: the user must set a password first. A user with an unconfirmed email address
 *   counts as new, and the password and sign-in methods of the person who signed up are removed.
 * - A user who can sign in: nothing changes until the invitation is accepted.
 * - A banned or deleted user: can return only with the emailed link. The password and all sign-in methods are removed,
 *   because a compromised password may be the reason for the ban.
 *
 * @param user the result of `findInvitableUser`, in the same transaction
 * @returns the ID of the user
 */
export async function prepareInvited(
  tx: Transaction,
  user: InvitableUser | null,
  { email, fullName, now }: InvitedUser,
): Promise<string> {
  if (!user) {
    const setup = { userData: { full_name: fullName }, appData: { setup_required: true }, invited: true };
    return (await createUser(tx, { email, ...setup, now })).id;
  }
  const { id, isBlocked, canSignIn } = user;
  if (isBlocked || !canSignIn) {
    await resetUser(tx, id, fullName, now);
    await removeSignInMethods(tx, id, now, isBlocked ? allMethods : exceptVerifiedEmail);
    if (isBlocked) {
      await revokeUserSessions(tx, id);
      await deleteOneTimeTokens(tx, id);
    } else {
      // The user may be accepting the invitation when it is sent again.
      await revokeSessionsExceptInvited(tx, id);
    }
  }
  // An operator can have deleted the identity.
  const identity = { sub: id, email, email_verified: false, phone_verified: false };
  await tx.query(sql`insert into auth.identities (user_id, provider, provider_id, identity_data)
    values (${id}, 'email', ${id}, ${JSON.stringify(identity)}::jsonb)
    on conflict (provider, provider_id) do nothing`);
  return id;
}

type RemovedFactor = Pick<FactorRecord, 'id' | 'user_id' | 'factor_type' | 'friendly_name' | 'status'>;

/**
 * Removes all factors, passkeys and recovery codes of a user who lost them, revokes all sessions and writes audit log
 * entries. Lock the user first.
 */
export async function removeFactors(
  tx: Transaction,
  user: UserRecord,
  { actor, client }: Pick<AuditEntry, 'actor' | 'client'>,
): Promise<RemovedFactor[]> {
  const { id, email, factors } = user;
  const removed = await tx.query<RemovedFactor>(sql`delete from auth.mfa_factors where user_id = ${id}
    returning id, user_id, factor_type, friendly_name, status`);
  await tx.query(sql`delete from auth.recovery_code_sets where user_id = ${id}`);
  await revokeUserSessions(tx, id);
  const passkeys = await tx.query<{ id: string }>(
    sql`delete from auth.webauthn_credentials where user_id = ${id} returning id`,
  );
  for (const { id: passkeyId } of passkeys)
    await writeAuditEntry(tx, {
      action: 'passkey_deleted',
      actor,
      client,
      traits: { user_id: id, passkey_id: passkeyId },
    });
  const traits = { user_id: id, email, factors: factors.map(formatFactorLabel) };
  await writeAuditEntry(tx, { action: 'factors_reset', actor, client, traits });
  return removed;
}
