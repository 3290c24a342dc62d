/** Removes the second factors of a user who lost them, for another administrator or for the operator. */
import { type Database, type Transaction, sql } from '@lanternrock/postgres';
import type { DatabaseClock } from '@lanternrock/postgres/clock';
import type { ClientInfo } from '@lanternrock/auth';
import { toNoticeOrigin } from '@lanternrock/auth/notice-origin';
import { type PasskeySettings, passkeysGiveAal2 } from '@lanternrock/auth/settings';
import { findUserByEmail, findUserById, hasVerifyingPasskey, removeFactors } from '@lanternrock/auth/users';
import { recordDeletions } from '../audit-log.ts';
import { DomainError } from '../errors.ts';
import type { Outbox } from '../mail/outbox.ts';
import { listOtherAdministrators } from './administrator-notices.ts';
import type { Authorize } from './email-action.ts';

interface FactorReset {
  /** Normalized. */
  readonly email: string;
  /** The acting administrator; null for the operator on the command line. */
  readonly actorId: string | null;
  /** Sets the actor for the audit log. Runs before any change, with both users locked. */
  readonly authorize: Authorize;
  readonly client: ClientInfo;
}

interface ResetServices {
  readonly config: PasskeySettings;
  readonly database: Database;
  readonly clock: DatabaseClock;
  readonly outbox: Pick<Outbox, 'enqueue' | 'wake'>;
}

/**
 * Removes all factors, passkeys and recovery codes of the user and revokes all sessions. The user and all administrators get
 * an email that names the actor.
 *
 * @throws DomainError own_second_factor
 * @throws DomainError no_second_factor, without a verified factor and a passkey that counts as two factors
 * @throws DomainError administrator_too_new
 */
export async function resetFactors(
  { config, database, clock, outbox }: ResetServices,
  { email, actorId, authorize, client }: FactorReset,
): Promise<void> {
  await database.transaction(async (tx) => {
    await lockUsers(tx, email, actorId);
    await authorize(tx);
    const user = await findUserByEmail(tx, email);
    if (user && user.id === actorId) {
      const message = 'You cannot reset your own second factor. Remove it on your security page.';
      throw new DomainError('own_second_factor', message);
    }
    if (!user || !(await hasSecondFactor(tx, config, user)))
      throw new DomainError('no_second_factor', `${email} has no second factor.`);
    // The triggers protect factors and sessions. A user with a passkey can have neither.
    await tx.query(sql`select private.require_seniority(${user.id}, true)`);
    const actor = actorId === null ? null : await findUserById(tx, actorId);
    const removed = await removeFactors(tx, user, { actor, client });
    // Commands list their changes in the audit log of product data.
    await recordDeletions(tx, 'auth.mfa_factors', removed);
    const source = actorId === null ? 'command_line' : 'client';
    const data = {
      actor: actor?.email ?? 'The operator of the service',
      ...toNoticeOrigin({ client, source, now: await clock.read(tx) }),
    };
    await outbox.enqueue(tx, { kind: 'factors_reset', to: email, userId: user.id, data });
    for (const { id, email: to } of await listOtherAdministrators(tx, user.id))
      await outbox.enqueue(tx, { kind: 'factors_reset', to, userId: id, data: { ...data, user: email } });
  });
  outbox.wake();
}

const hasSecondFactor = async (
  tx: Transaction,
  config: PasskeySettings,
  user: { readonly id: string; readonly has_verified_factor: boolean },
): Promise<boolean> =>
  user.has_verified_factor || (passkeysGiveAal2(config) && (await hasVerifyingPasskey(tx, user.id)));

/**
 * Locks the user and the actor in one order: if two administrators reset each other, the second finds its session
 * revoked. `for no key update` does not block the foreign keys of emails that other transactions enqueue. With
 * `for update`, two concurrent resets would deadlock, because each notifies all administrators.
 */
async function lockUsers(tx: Transaction, email: string, actorId: string | null): Promise<void> {
  await tx.query(sql`select id from auth.users where email = ${email} or id = ${actorId}
    order by id for no key update`);
}
