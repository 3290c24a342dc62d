/**
 * Writes users, in the transaction of the caller. Only this file, `contact-writes.ts`, `sign-in-methods.ts` and
 * `session-writes.ts` write `auth.users`.
 */
import { randomUUID } from 'node:crypto';
import { type Transaction, sql } from '@lanternrock/postgres';
import type { Keys } from '../keys/keys.ts';
import { deleteOneTimeTokens, revokeUserSessions } from './revocation.ts';
import { upsertEmailIdentity } from './contact-writes.ts';
import { toUniqueViolationError } from './unique-violations.ts';
import { findUserById, type UserRecord } from './user-records.ts';
import { validateMetadata } from './validate-metadata.ts';

type Metadata = Readonly<Record<string, unknown>>;

export interface NewUser {
  readonly id?: string;
  readonly email?: string | null;
  readonly phone?: string | null;
  readonly passwordHash?: string | null;
  readonly emailConfirmed?: boolean;
  readonly phoneConfirmed?: boolean;
  readonly userData?: Metadata;
  readonly appData?: Metadata;
  readonly role?: string;
  readonly anonymous?: boolean;
  readonly invited?: boolean;
  readonly bannedUntil?: Date | null;
  /** The OAuth provider of the only identity, which the caller adds. Without it, email and phone get identities. */
  readonly provider?: string;
  readonly now: Date;
}

/**
 * Creates a user with its email and phone identities.
 *
 * @throws AuthError 422 `email_exists`, `phone_exists`, or `user_already_exists` for an ID in use
 */
export async function createUser(tx: Transaction, user: NewUser): Promise<UserRecord> {
  const { id = randomUUID(), email = null, phone = null, now } = user;
  validateMetadata(user.userData ?? {});
  const contacts = [...(email ? ['email'] : []), ...(phone ? ['phone'] : [])];
  const providers = user.provider === undefined ? contacts : [user.provider];
  const providerData = providers.length > 0 ? { provider: providers[0], providers } : {};
  try {
    await tx.query(sql`insert into auth.users
        (id, email, phone, encrypted_password, email_confirmed_at, phone_confirmed_at, raw_user_meta_data,
          raw_app_meta_data, role, is_anonymous, invited_at, banned_until, created_at, updated_at)
      values (${id}, ${email}, ${phone}, ${user.passwordHash ?? null}, ${user.emailConfirmed ? now : null},
        ${user.phoneConfirmed ? now : null}, ${JSON.stringify(user.userData ?? {})}::jsonb,
        ${JSON.stringify({ ...providerData, ...user.appData })}::jsonb, ${user.role ?? 'authenticated'},
        ${user.anonymous ?? false}, ${user.invited ? now : null}, ${user.bannedUntil ?? null}, ${now}, ${now})`);
  } catch (error) {
    throw toUniqueViolationError(error);
  }
  const verified = {
    email_verified: user.emailConfirmed ?? false,
    phone_verified: user.phoneConfirmed ?? false,
  };
  for (const provider of user.provider === undefined ? contacts : []) {
    const contact = provider === 'email' ? { email } : { phone };
    await tx.query(sql`insert into auth.identities (user_id, provider, provider_id, identity_data, created_at, updated_at)
      values (${id}, ${provider}, ${id}, ${JSON.stringify({ sub: id, ...contact, ...verified })}::jsonb, ${now}, ${now})`);
  }
  const created = await findUserById(tx, id);
  if (!created) throw new Error('The new user was not found');
  return created;
}

/** Records that a service client invited the user. */
export async function recordInvitation(tx: Transaction, userId: string, now: Date): Promise<void> {
  await tx.query(sql`update auth.users set invited_at = ${now}, updated_at = ${now} where id = ${userId}`);
}

/**
 * Records the time of the last email or text message of a kind.
 *
 * @param userId null for an address that gets nothing: the same statement runs, so that the timing does not reveal it
 */
export async function recordSent(
  tx: Transaction,
  userId: string | null,
  kind: 'confirmation' | 'recovery' | 'reauthentication',
  now: Date,
): Promise<void> {
  await tx.query(sql`update auth.users set
      confirmation_sent_at = case ${kind}::text when 'confirmation' then ${now} else confirmation_sent_at end,
      recovery_sent_at = case ${kind}::text when 'recovery' then ${now} else recovery_sent_at end,
      reauthentication_sent_at = case ${kind}::text when 'reauthentication' then ${now} else reauthentication_sent_at end
    where id = ${userId}::uuid`);
}

/** The user whose devices a token names; see `sessions/device-token.ts`. */
export interface DeviceOwner {
  readonly id: string;
  readonly device_epoch: number;
}

/**
 * Locks the user after a password check, and replaces the hash.
 *
 * @param newHash null to keep the hash
 * @returns null if the password was changed or the user banned since the check
 */
export async function rehashPassword(
  tx: Transaction,
  user: Pick<UserRecord, 'id' | 'encrypted_password'>,
  newHash: string | null,
  now: Date,
): Promise<DeviceOwner | null> {
  const [owner] =
    await tx.query<DeviceOwner>(sql`update auth.users set encrypted_password = coalesce(${newHash}, encrypted_password)
    where id = ${user.id} and encrypted_password = ${user.encrypted_password}
      and (banned_until is null or banned_until <= ${now}) returning id, device_epoch`);
  return owner ?? null;
}

/** Stores the hash of a new password and ends the setup of the user. */
export async function storePassword(tx: Transaction, userId: string, hash: string, now: Date): Promise<void> {
  await tx.query(sql`update auth.users set encrypted_password = ${hash},
    raw_app_meta_data = raw_app_meta_data - 'setup_required', updated_at = ${now} where id = ${userId}`);
  await cancelContactChanges(tx, userId);
}

/** Otherwise `/resend` could confirm a change that was requested before a new password or a removal. */
async function cancelContactChanges(tx: Transaction, userId: string): Promise<void> {
  await tx.query(sql`update auth.users
    set email_change = null, email_change_confirm_status = 0, phone_change = null where id = ${userId}`);
}

/**
 * Merges metadata into that of the user. A null removes its key.
 *
 * @throws AuthError 400 `validation_failed` if the result is too large, also because of a concurrent change
 */
export async function mergeUserData(
  tx: Transaction,
  userId: string,
  data: Metadata,
  now: Date,
): Promise<void> {
  const [stored] = await tx.query<{ data: Metadata }>(sql`update auth.users set
    raw_user_meta_data = (raw_user_meta_data || ${JSON.stringify(data)}::jsonb) - ${nullKeys(data)}::text[],
    updated_at = ${now} where id = ${userId} returning raw_user_meta_data as data`);
  if (stored) validateMetadata(stored.data);
}

/**
 * Ends a ban or a deletion and removes the password. The user must set one with the link of an invitation.
 *
 * @param fullName the name that the invitation contains
 */
export async function resetUser(tx: Transaction, userId: string, fullName: string, now: Date): Promise<void> {
  await tx.query(sql`update auth.users set banned_until = null, deleted_at = null, encrypted_password = null,
      raw_app_meta_data = raw_app_meta_data || '{"setup_required": true}',
      raw_user_meta_data = raw_user_meta_data || jsonb_build_object('full_name', ${fullName}::text),
      invited_at = ${now}, updated_at = ${now}
    where id = ${userId}`);
}

/** Bans a user without an end, and deletes all sessions and one-time tokens. */
export async function blockUser(tx: Transaction, userId: string): Promise<void> {
  await tx.query(
    sql`update auth.users set banned_until = 'infinity', updated_at = now() where id = ${userId}`,
  );
  await revokeUserSessions(tx, userId);
  await deleteOneTimeTokens(tx, userId);
  await cancelContactChanges(tx, userId);
}

/** Ends a ban. The user can sign in as before. */
export async function unblockUser(tx: Transaction, userId: string): Promise<void> {
  await tx.query(sql`update auth.users set banned_until = null, updated_at = now() where id = ${userId}`);
}

const nullKeys = (data: Metadata | null): string[] =>
  Object.keys(data ?? {}).filter((key) => data?.[key] === null);

/** Changes by a service client; null leaves a field unchanged. */
export interface UserChanges {
  readonly email: string | null;
  readonly phone: string | null;
  readonly passwordHash: string | null;
  readonly emailConfirm: boolean;
  readonly phoneConfirm: boolean;
  readonly userData: Metadata | null;
  readonly appData: Metadata | null;
  readonly role: string | null;
  /** undefined: unchanged; null: not banned. */
  readonly bannedUntil: Date | null | undefined;
}

/**
 * Applies the changes of a service client. A new password or email address invalidates all one-time tokens, a new
 * password also all sessions. A changed email address keeps its confirmation.
 *
 * @throws AuthError 400 `validation_failed` if the merged metadata are too large
 */
export async function updateUserByAdmin(
  tx: Transaction,
  user: Pick<UserRecord, 'id' | 'email_confirmed_at'>,
  changes: UserChanges,
  now: Date,
): Promise<void> {
  const { email, passwordHash, bannedUntil } = changes;
  const confirmsEmail = changes.emailConfirm || (email !== null && user.email_confirmed_at !== null);
  const removedAppData = [...nullKeys(changes.appData), ...(passwordHash ? ['setup_required'] : [])];
  const [stored] = await tx.query<{ user: Metadata; app: Metadata }>(sql`update auth.users set
    email = coalesce(${email}, email), phone = coalesce(${changes.phone}, phone),
    encrypted_password = coalesce(${passwordHash}, encrypted_password), role = coalesce(${changes.role}, role),
    email_confirmed_at = case when ${confirmsEmail}::boolean then coalesce(email_confirmed_at, ${now}) else email_confirmed_at end,
    phone_confirmed_at = case when ${changes.phoneConfirm}::boolean then coalesce(phone_confirmed_at, ${now}) else phone_confirmed_at end,
    raw_user_meta_data = (raw_user_meta_data || ${JSON.stringify(changes.userData ?? {})}::jsonb) - ${nullKeys(changes.userData)}::text[],
    raw_app_meta_data = (raw_app_meta_data || ${JSON.stringify(changes.appData ?? {})}::jsonb) - ${removedAppData}::text[],
    banned_until = case when ${bannedUntil !== undefined}::boolean then ${bannedUntil ?? null}::timestamptz else banned_until end,
    updated_at = ${now} where id = ${user.id} returning raw_user_meta_data as user, raw_app_meta_data as app`);
  if (stored && changes.userData !== null) validateMetadata(stored.user);
  if (stored && changes.appData !== null) validateMetadata(stored.app);
  if (email !== null)
    await upsertEmailIdentity(tx, user.id, { sub: user.id, email, email_verified: confirmsEmail }, now);
  if (passwordHash || email !== null) await deleteOneTimeTokens(tx, user.id);
  if (!passwordHash) return;
  await revokeUserSessions(tx, user.id);
  await cancelContactChanges(tx, user.id);
}

/** Deletes the user and every row that refers to it. */
export async function hardDeleteUser(tx: Transaction, userId: string): Promise<void> {
  await tx.query(sql`delete from auth.users where id = ${userId}`);
}

/** Replaces the personal data of the user by pseudonyms, and removes all sign-in methods and sessions. */
export async function softDeleteUser(
  tx: Transaction,
  keys: Pick<Keys, 'hmac'>,
  user: UserRecord,
  now: Date,
): Promise<void> {
  const pseudonymize = (text: string | null): string | null =>
    text === null ? null : keys.hmac(`${user.id}:${text}`, 'deleted user').toString('hex');
  await tx.query(sql`update auth.users set email = ${pseudonymize(user.email)}, phone = ${pseudonymize(user.phone)?.slice(0, 15) ?? null},
    encrypted_password = null, raw_user_meta_data = '{}', raw_app_meta_data = '{}', email_change = null,
    phone_change = null, deleted_at = ${now}, updated_at = ${now} where id = ${user.id}`);
  await tx.query(sql`update auth.identities set identity_data = '{}', provider_id = ${keys.hmac(user.id, 'deleted identity').toString('hex')} || id::text
    where user_id = ${user.id}`);
  await tx.query(sql`delete from auth.mfa_factors where user_id = ${user.id}`);
  await tx.query(sql`delete from auth.recovery_code_sets where user_id = ${user.id}`);
  await tx.query(sql`delete from auth.webauthn_credentials where user_id = ${user.id}`);
  await deleteOneTimeTokens(tx, user.id);
  await revokeUserSessions(tx, user.id);
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
