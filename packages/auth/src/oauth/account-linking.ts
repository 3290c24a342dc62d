/** Finds or creates the user for the profile of an OAuth provider. */
import { type Transaction, sql } from '@lanternrock/postgres';
import { AuthError, signUpDisabledError, userBannedError } from '../auth-error.ts';
import { allMethods } from '../users/sign-in-methods.ts';
import { writeAuditEntry } from '../audit.ts';
import type { AuthContext } from '../auth-context.ts';
import type { ClientInfo } from '../client-info.ts';
import { confirmEmail } from '../users/contact-writes.ts';
import { createUser, updateProviders } from '../users/user-writes.ts';
import { sendSecurityNotice } from '../security-notices.ts';
import { isBanned, lockUser, findUserByEmail, findUserById, type UserRecord } from '../users/user-records.ts';
import type { InviteTarget } from '../ports.ts';
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
 * @throws AuthError 403, 422; `identity_not_found` for an identity that was unlinked concurrently
 */
export async function resolveUser(
  tx: Transaction,
  context: AuthContext,
  signIn: OAuthSignIn,
): Promise<UserRecord> {
  const { provider, profile, client } = signIn;
  const now = await context.now(tx);
  const ownerId = await findIdentityOwner(tx, provider, profile.subject);
  if (ownerId) {
    const user = await lockActiveUser(tx, context, ownerId);
    const [updated] =
      await tx.query(sql`update auth.identities set identity_data = ${JSON.stringify(profile.data)}::jsonb,
      last_sign_in_at = ${now}, updated_at = ${now}
      where provider = ${provider} and provider_id = ${profile.subject} and user_id = ${ownerId} returning id`);
    if (!updated) throw new AuthError(422, 'identity_not_found', "Identity doesn't exist");
    return user;
  }
  const sameEmail = profile.email && profile.emailVerified ? await findUserByEmail(tx, profile.email) : null;
  if (sameEmail) {
    const user = await lockActiveUser(tx, context, sameEmail.id);
    // The creator of an unconfirmed user did not prove control of the address.
    await confirmEmail(tx, user, now, { clearPassword: true, removal: allMethods });
    await addIdentity(tx, context, user, signIn);
    await sendSecurityNotice(tx, context, user, { kind: 'identity_linked', client, data: { provider } });
    return (await findUserById(tx, user.id)) ?? user;
  }
  if (!context.config.SIGNUP) throw signUpDisabledError();
  if (!profile.email || !profile.emailVerified) {
    throw new AuthError(
      422,
      'provider_email_needs_verification',
      'The provider has not verified the email address',
    );
  }
  const created = await createUser(tx, {
    email: profile.email,
    emailConfirmed: true,
    userData: profile.data,
    provider,
    now,
  });
  await addIdentity(tx, context, created, signIn);
  await writeAuditEntry(tx, { action: 'user_signedup', actor: created, client, traits: { provider } });
  return (await findUserById(tx, created.id)) ?? created;
}

/** @throws AuthError 422 `identity_already_exists` */
export async function requireUnlinked(
  tx: Transaction,
  userId: string,
  { provider, profile }: OAuthSignIn,
): Promise<void> {
  const owner = await findIdentityOwner(tx, provider, profile.subject);
  if (owner === null) return;
  const message =
    owner === userId ? 'Identity is already linked' : 'Identity is already linked to another user';
  throw new AuthError(422, 'identity_already_exists', message);
}

/**
 * Links an identity to a signed-in user.
 *
 * @throws AuthError 403; 422 `identity_already_exists`
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
  await sendSecurityNotice(tx, context, user, {
    kind: 'identity_linked',
    client: signIn.client,
    data: { provider: signIn.provider },
  });
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
    throw new AuthError(400, 'validation_failed', message);
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
 * @throws AuthError 403
 */
async function lockActiveUser(tx: Transaction, context: AuthContext, userId: string): Promise<UserRecord> {
  await lockUser(tx, userId);
  const user = await findUserById(tx, userId);
  if (!user) throw new AuthError(403, 'user_not_found', 'User not found');
  if (isBanned(user, await context.now(tx))) throw userBannedError();
  return user;
}

async function addIdentity(
  tx: Transaction,
  context: AuthContext,
  user: UserRecord,
  signIn: OAuthSignIn,
): Promise<void> {
  const { provider, profile, client } = signIn;
  const now = await context.now(tx);
  await tx.query(sql`insert into auth.identities (user_id, provider, provider_id, identity_data, last_sign_in_at, created_at, updated_at)
    values (${user.id}, ${provider}, ${profile.subject}, ${JSON.stringify(profile.data)}::jsonb, ${now}, ${now}, ${now})`);
  await updateProviders(tx, user.id, now);
  await writeAuditEntry(tx, { action: 'identity_linked', actor: user, client, traits: { provider } });
}
