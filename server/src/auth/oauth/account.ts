/** Which account a provider's profile belongs to (auth contract 5.3). */
import type { Transaction } from '../../database/database.ts';
import { sql } from '../../database/sql.ts';
import { Refusal } from '../../errors.ts';
import { allMethods, removeSignInMethods } from '../../sign-in-methods.ts';
import { writeAudit } from '../audit.ts';
import type { AuthContext, Caller } from '../auth-context.ts';
import { createUser } from '../users/new-user.ts';
import { notify } from '../notify.ts';
import { endOtherSessions } from '../sessions/sessions.ts';
import { isBanned, lockUser, userByEmail, userById, type UserRecord } from '../users/user-records.ts';
import type { Invited } from '../one-time/invite-token.ts';
import type { Profile } from './profile.ts';

export interface SignIn {
  readonly provider: string;
  readonly profile: Profile;
  readonly caller: Caller;
}

/**
 * A known identity signs in; else a verified address joins the account with that address; else a
 * new account is made, where sign-up is on. An address that the provider has not verified joins nothing.
 * @throws Refusal 403, 422; among them `identity_not_found` for one that was taken away at this moment
 */
export async function accountFor(tx: Transaction, context: AuthContext, signIn: SignIn): Promise<UserRecord> {
  const { provider, profile, caller } = signIn;
  const now = context.now();
  const known = await identityOwner(tx, provider, profile.subject);
  if (known) {
    const user = await usable(tx, context, known);
    const [kept] =
      await tx.query(sql`update auth.identities set identity_data = ${JSON.stringify(profile.data)}::jsonb,
      last_sign_in_at = ${now}, updated_at = ${now}
      where provider = ${provider} and provider_id = ${profile.subject} and user_id = ${known} returning id`);
    if (!kept) throw new Refusal(422, 'identity_not_found', "Identity doesn't exist");
    return user;
  }
  const sameAddress = profile.email && profile.emailVerified ? await userByEmail(tx, profile.email) : null;
  if (sameAddress) {
    const user = await usable(tx, context, sameAddress.id);
    await takeOverUnconfirmed(tx, user, now);
    await addIdentity(tx, context, user, signIn);
    await notify(tx, context, user, 'identity_linked', { provider });
    return (await userById(tx, user.id)) ?? user;
  }
  if (!context.config.SIGNUP)
    throw new Refusal(422, 'signup_disabled', 'Signups not allowed for this instance');
  if (!profile.email || !profile.emailVerified) {
    throw new Refusal(
      422,
      'provider_email_needs_verification',
      'The provider has not verified the email address',
    );
  }
  const appData = { provider, providers: [provider] };
  const made = await createUser(tx, { emailConfirmed: true, userData: profile.data, appData, now });
  await tx.query(
    sql`update auth.users set email = ${profile.email}, email_confirmed_at = ${now} where id = ${made.id}`,
  );
  await addIdentity(tx, context, made, signIn);
  await writeAudit(tx, { action: 'user_signedup', actor: made, caller, traits: { provider } });
  return (await userById(tx, made.id)) ?? made;
}

/** @throws Refusal 422 `identity_already_exists` */
export async function requireUnlinked(
  tx: Transaction,
  userId: string,
  { provider, profile }: SignIn,
): Promise<void> {
  const owner = await identityOwner(tx, provider, profile.subject);
  if (owner === null) return;
  const message =
    owner === userId ? 'Identity is already linked' : 'Identity is already linked to another user';
  throw new Refusal(422, 'identity_already_exists', message);
}

/** Attaches a profile to a signed-in user. @throws Refusal 403; 422 `identity_already_exists` */
export async function linkTo(
  tx: Transaction,
  context: AuthContext,
  userId: string,
  signIn: SignIn,
): Promise<UserRecord> {
  await requireUnlinked(tx, userId, signIn);
  const user = await usable(tx, context, userId);
  await addIdentity(tx, context, user, signIn);
  await notify(tx, context, user, 'identity_linked', { provider: signIn.provider });
  return (await userById(tx, userId)) ?? user;
}

/**
 * The invited person, once the provider has shown that the invited address is theirs. The invitation
 * itself is accepted when a password is set, as by its link.
 */
export async function invitedAccount(
  tx: Transaction,
  context: AuthContext,
  invited: Invited,
  signIn: SignIn,
): Promise<UserRecord> {
  const { provider, profile } = signIn;
  if (!profile.emailVerified || profile.email !== invited.email) {
    const message = 'Invited email does not match emails from external provider';
    throw new Refusal(400, 'validation_failed', message);
  }
  const owner = await identityOwner(tx, provider, profile.subject);
  return owner === invited.userId ? usable(tx, context, owner) : linkTo(tx, context, invited.userId, signIn);
}

async function identityOwner(tx: Transaction, provider: string, subject: string): Promise<string | null> {
  const [row] = await tx.query<{ user_id: string }>(
    sql`select user_id from auth.identities where provider = ${provider} and provider_id = ${subject}`,
  );
  return row?.user_id ?? null;
}

/**
 * The person, locked: whoever takes identities away holds the same lock, so what is found behind it stays.
 * @throws Refusal 403
 */
async function usable(tx: Transaction, context: AuthContext, userId: string): Promise<UserRecord> {
  await lockUser(tx, userId);
  const user = await userById(tx, userId);
  if (!user) throw new Refusal(403, 'user_not_found', 'User not found');
  if (isBanned(user, context.now())) throw new Refusal(403, 'user_banned', 'User is banned');
  return user;
}

/** Whoever made the account without owning the address loses every way into it. */
async function takeOverUnconfirmed(tx: Transaction, user: UserRecord, now: Date): Promise<void> {
  if (user.email_confirmed_at) return;
  await removeSignInMethods(tx, user.id, now, allMethods);
  await endOtherSessions(tx, user.id, null);
  await tx.query(sql`update auth.users set encrypted_password = null, email_confirmed_at = ${now}, updated_at = ${now}
    where id = ${user.id}`);
}

async function addIdentity(
  tx: Transaction,
  context: AuthContext,
  user: UserRecord,
  signIn: SignIn,
): Promise<void> {
  const { provider, profile, caller } = signIn;
  const now = context.now();
  await tx.query(sql`insert into auth.identities (user_id, provider, provider_id, identity_data, last_sign_in_at, created_at, updated_at)
    values (${user.id}, ${provider}, ${profile.subject}, ${JSON.stringify(profile.data)}::jsonb, ${now}, ${now}, ${now})`);
  await recomputeProviders(tx, user.id, now);
  await writeAudit(tx, { action: 'identity_linked', actor: user, caller, traits: { provider } });
}

/** `app_metadata.provider` and `providers` follow the identities, in the order in which they came. */
export async function recomputeProviders(tx: Transaction, userId: string, now: Date): Promise<void> {
  const rows = await tx.query<{ provider: string }>(
    sql`select provider from auth.identities where user_id = ${userId} group by provider order by min(created_at), provider`,
  );
  const providers = rows.map(({ provider }) => provider);
  await tx.query(sql`update auth.users set
    raw_app_meta_data = raw_app_meta_data || ${JSON.stringify({ provider: providers[0] ?? 'email', providers })}::jsonb,
    updated_at = ${now} where id = ${userId}`);
}
