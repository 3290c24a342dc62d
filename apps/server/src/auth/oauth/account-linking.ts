/** Finds or creates the user for the profile of an OAuth provider. */
import { type Transaction, sql } from '@lanternrock/postgres';
import { ApiError } from '../../errors.ts';
import { allMethods, removeSignInMethods } from '../../sign-in-methods.ts';
import { writeAuditEntry } from '../audit.ts';
import type { AuthContext, ClientInfo } from '../auth-context.ts';
import { createUser } from '../users/create-user.ts';
import { sendSecurityNotice } from '../security-notices.ts';
import { revokeSessions } from '../users/session-writes.ts';
import { isBanned, lockUser, findUserByEmail, findUserById, type UserRecord } from '../users/user-records.ts';
import type { InviteTarget } from '../one-time-tokens/invite-target.ts';
import type { Profile } from './profile.ts';

export interface OAuthSignIn {
  readonly provider: string;
  readonly profile: Profile;
  readonly client: ClientInfo;
}

/**
 * Returns the user of the identity. Otherwise links the identity to the user with the same verified email address, or
 * creates a user if sign-up is on. An address that the provider has not verified matches no user.
 *
 * @throws ApiError 403, 422; `identity_not_found` for an identity that was unlinked concurrently
 */
export async function resolveUser(
  tx: Transaction,
  context: AuthContext,
  signIn: OAuthSignIn,
): Promise<UserRecord> {
  const { provider, profile, client } = signIn;
  const now = context.now();
  const ownerId = await findIdentityOwner(tx, provider, profile.subject);
  if (ownerId) {
    const user = await lockActiveUser(tx, context, ownerId);
    const [updated] =
      await tx.query(sql`update auth.identities set identity_data = ${JSON.stringify(profile.data)}::jsonb,
      last_sign_in_at = ${now}, updated_at = ${now}
      where provider = ${provider} and provider_id = ${profile.subject} and user_id = ${ownerId} returning id`);
    if (!updated) throw new ApiError(422, 'identity_not_found', "Identity doesn't exist");
    return user;
  }
  const sameEmail = profile.email && profile.emailVerified ? await findUserByEmail(tx, profile.email) : null;
  if (sameEmail) {
    const user = await lockActiveUser(tx, context, sameEmail.id);
    await claimUnconfirmedUser(tx, user, now);
    await addIdentity(tx, context, user, signIn);
    await sendSecurityNotice(tx, context, user, 'identity_linked', { provider });
    return (await findUserById(tx, user.id)) ?? user;
  }
  if (!context.config.SIGNUP)
    throw new ApiError(422, 'signup_disabled', 'Signups not allowed for this instance');
  if (!profile.email || !profile.emailVerified) {
    throw new ApiError(
      422,
      'provider_email_needs_verification',
      'The provider has not verified the email address',
    );
  }
  const appData = { provider, providers: [provider] };
  const created = await createUser(tx, { emailConfirmed: true, userData: profile.data, appData, now });
  await tx.query(
    sql`update auth.users set email = ${profile.email}, email_confirmed_at = ${now} where id = ${created.id}`,
  );
  await addIdentity(tx, context, created, signIn);
  await writeAuditEntry(tx, { action: 'user_signedup', actor: created, client, traits: { provider } });
  return (await findUserById(tx, created.id)) ?? created;
}

/** @throws ApiError 422 `identity_already_exists` */
export async function requireUnlinked(
  tx: Transaction,
  userId: string,
  { provider, profile }: OAuthSignIn,
): Promise<void> {
  const owner = await findIdentityOwner(tx, provider, profile.subject);
  if (owner === null) return;
  const message =
    owner === userId ? 'Identity is already linked' : 'Identity is already linked to another user';
  throw new ApiError(422, 'identity_already_exists', message);
}

/**
 * Links an identity to a signed-in user.
 *
 * @throws ApiError 403; 422 `identity_already_exists`
 */
export async function linkIdentity(
  tx: Transaction,
  context: AuthContext,
  userId: string,
  signIn: OAuthSignIn,
): Promise<UserRecord> {
  await requireUnlinked(tx, userId, signIn);
  const user = await lockActiveUser(tx, context, userId);
  await addIdentity(tx, context, user, signIn);
  await sendSecurityNotice(tx, context, user, 'identity_linked', { provider: signIn.provider });
  return (await findUserById(tx, userId)) ?? user;
}

/**
 * Returns the invited user if the provider has verified the invited address. As with the link, setting a password
 * accepts the invitation.
 */
export async function resolveInvitedUser(
  tx: Transaction,
  context: AuthContext,
  invited: InviteTarget,
  signIn: OAuthSignIn,
): Promise<UserRecord> {
  const { provider, profile } = signIn;
  if (!profile.emailVerified || profile.email !== invited.email) {
    const message = 'Invited email does not match emails from external provider';
    throw new ApiError(400, 'validation_failed', message);
  }
  const owner = await findIdentityOwner(tx, provider, profile.subject);
  return owner === invited.userId
    ? lockActiveUser(tx, context, owner)
    : linkIdentity(tx, context, invited.userId, signIn);
}

async function findIdentityOwner(tx: Transaction, provider: string, subject: string): Promise<string | null> {
  const [row] = await tx.query<{ user_id: string }>(
    sql`select user_id from auth.identities where provider = ${provider} and provider_id = ${subject}`,
  );
  return row?.user_id ?? null;
}

/**
 * Locks and returns the user. Removing an identity takes the same lock, so an identity that is found afterwards
 * stays.
 *
 * @throws ApiError 403
 */
async function lockActiveUser(tx: Transaction, context: AuthContext, userId: string): Promise<UserRecord> {
  await lockUser(tx, userId);
  const user = await findUserById(tx, userId);
  if (!user) throw new ApiError(403, 'user_not_found', 'User not found');
  if (isBanned(user, context.now())) throw new ApiError(403, 'user_banned', 'User is banned');
  return user;
}

/**
 * Removes all sign-in methods and sessions of an unconfirmed user: its creator did not prove control of the address.
 */
async function claimUnconfirmedUser(tx: Transaction, user: UserRecord, now: Date): Promise<void> {
  if (user.email_confirmed_at) return;
  await removeSignInMethods(tx, user.id, now, allMethods);
  await revokeSessions(tx, { userId: user.id });
  await tx.query(sql`update auth.users set encrypted_password = null, email_confirmed_at = ${now}, updated_at = ${now}
    where id = ${user.id}`);
}

async function addIdentity(
  tx: Transaction,
  context: AuthContext,
  user: UserRecord,
  signIn: OAuthSignIn,
): Promise<void> {
  const { provider, profile, client } = signIn;
  const now = context.now();
  await tx.query(sql`insert into auth.identities (user_id, provider, provider_id, identity_data, last_sign_in_at, created_at, updated_at)
    values (${user.id}, ${provider}, ${profile.subject}, ${JSON.stringify(profile.data)}::jsonb, ${now}, ${now}, ${now})`);
  await updateProviders(tx, user.id, now);
  await writeAuditEntry(tx, { action: 'identity_linked', actor: user, client, traits: { provider } });
}

/** Updates `provider` and `providers` in `app_metadata` to the linked identities, oldest first. */
export async function updateProviders(tx: Transaction, userId: string, now: Date): Promise<void> {
  const rows = await tx.query<{ provider: string }>(
    sql`select provider from auth.identities where user_id = ${userId} group by provider order by min(created_at), provider`,
  );
  const providers = rows.map(({ provider }) => provider);
  await tx.query(sql`update auth.users set
    raw_app_meta_data = raw_app_meta_data || ${JSON.stringify({ provider: providers[0] ?? 'email', providers })}::jsonb,
    updated_at = ${now} where id = ${userId}`);
}
