/** Removes the second factors of a user who lost them, for another administrator or for the operator. */
import { type Transaction, sql } from '@lanternrock/postgres';
import { AuthError } from '../auth-error.ts';
import { writeAuditEntry } from '../audit.ts';
import type { AuthContext } from '../auth-context.ts';
import type { RemovedFactor } from '../ports.ts';
import { factorLabel, sendSecurityNotice } from '../security-notices.ts';
import { revokeUserSessions } from '../users/session-writes.ts';
import { findUserByEmail, findUserById, type UserRecord } from '../users/user-records.ts';

export interface FactorReset {
  /** Normalized. */
  readonly email: string;
  /** The acting administrator; null for the operator on the command line. */
  readonly actorId: string | null;
  /**
   * Checks the authorization and sets the actor for the audit log. Runs before any change, with both users locked.
   */
  readonly authorize: (tx: Transaction) => Promise<void>;
  readonly requestId: string;
  /** '' for the command line. */
  readonly ip: string;
}

/**
 * Removes all factors and recovery codes of the user and revokes all sessions. The user gets an email that names the
 * actor.
 *
 * @throws AuthError 403 `own_second_factor`, 404 `no_second_factor` without a verified factor; any error of
 *   `authorize`
 */
export async function resetFactors(
  context: Pick<AuthContext, 'database' | 'hooks' | 'mailer'>,
  { email, actorId, authorize, requestId, ip }: FactorReset,
): Promise<void> {
  await context.database.transaction(async (tx) => {
    await lockUsers(tx, email, actorId);
    await authorize(tx);
    const user = await findUserByEmail(tx, email);
    if (user && user.id === actorId) {
      const message = 'You cannot reset your own second factor. Remove it on your security page.';
      throw new AuthError(403, 'own_second_factor', message);
    }
    if (!user?.has_verified_factor)
      throw new AuthError(404, 'no_second_factor', `${email} has no second factor.`);
    const removed = await removeFactors(tx, user);
    await revokeUserSessions(tx, user.id);
    const actor = actorId === null ? null : await findUserById(tx, actorId);
    await writeAuditEntry(tx, {
      action: 'factors_reset',
      actor,
      client: { ip, requestId, userAgent: null },
      traits: { user_id: user.id, email, factors: user.factors.map(factorLabel) },
    });
    const name = actor?.email ?? 'The operator on the command line';
    await sendSecurityNotice(tx, context, user, 'factors_reset', { actor: name });
    await context.hooks.factorsReset(tx, { userId: user.id, email, actor: name, removed });
  });
  context.mailer.wake();
}

/**
 * Locks the user and the actor in one order: if two administrators reset each other, the second finds its session
 * revoked. `for no key update` does not block the foreign keys of emails that other transactions enqueue. With
 * `for update`, two concurrent resets would deadlock if each notifies all administrators.
 */
async function lockUsers(tx: Transaction, email: string, actorId: string | null): Promise<void> {
  await tx.query(sql`select id from auth.users where email = ${email} or id = ${actorId}
    order by id for no key update`);
}

async function removeFactors(tx: Transaction, { id }: UserRecord): Promise<RemovedFactor[]> {
  const removed = await tx.query<RemovedFactor>(sql`delete from auth.mfa_factors where user_id = ${id}
    returning id, user_id, factor_type, friendly_name, status`);
  await tx.query(sql`delete from auth.recovery_code_sets where user_id = ${id}`);
  return removed;
}
