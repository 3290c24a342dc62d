/** Writes the email address and the phone number of users, in the transaction of the caller. */
import { type Transaction, sql } from '@lanternrock/postgres';
import { exceptVerifiedEmail, removeSignInMethods, type Removal } from './sign-in-methods.ts';
import { revokeUserSessions } from './revocation.ts';
import { isUniqueViolation, phoneExistsError, toUniqueViolationError } from './unique-violations.ts';
import type { UserRecord } from './user-records.ts';

interface ConfirmEmailOptions {
  /** True also removes the password. */
  readonly clearPassword: boolean;
  /** ID of the session that is not revoked. */
  readonly keepSession?: string | undefined;
  /** Default: removes all sign-in methods except identities with the same verified address. */
  readonly removal?: Removal;
}

/**
 * Marks the email address as confirmed, if it is not yet. Another person can have created the unconfirmed user, so
 * other sign-in methods are removed and sessions are revoked.
 */
export async function confirmEmail(
  tx: Transaction,
  user: UserRecord,
  now: Date,
  { clearPassword, keepSession, removal = exceptVerifiedEmail }: ConfirmEmailOptions,
): Promise<void> {
  if (user.email_confirmed_at) return;
  await removeSignInMethods(tx, user.id, now, removal);
  await revokeUserSessions(tx, user.id, keepSession);
  await tx.query(sql`update auth.users set
      email_confirmed_at = ${now}, updated_at = ${now},
      encrypted_password = case when ${clearPassword}::boolean then null else encrypted_password end,
      raw_user_meta_data = raw_user_meta_data || '{"email_verified": true}'
    where id = ${user.id}`);
  await tx.query(sql`update auth.identities set
      identity_data = identity_data || '{"email_verified": true}', updated_at = ${now}
    where user_id = ${user.id} and provider = 'email'`);
}

interface EmailChange {
  readonly userId: string;
  readonly email: string;
  readonly now: Date;
  /** True for a further link of the same change: a confirmation by one mailbox stays valid. */
  readonly keepConfirmation?: boolean;
}

/** Stores the requested email address. The old one stays until the change is confirmed. */
export async function storeEmailChange(
  tx: Transaction,
  { userId, email, now, keepConfirmation = false }: EmailChange,
): Promise<void> {
  await tx.query(sql`update auth.users set
      email_change_confirm_status = case when ${keepConfirmation}::boolean and email_change = ${email}
        then email_change_confirm_status else 0 end,
      email_change = ${email}, email_change_sent_at = ${now}, updated_at = ${now}
    where id = ${userId}`);
}

/** Records that one of the two mailboxes has confirmed the change. */
export async function recordEmailChangeConfirmation(
  tx: Transaction,
  userId: string,
  now: Date,
): Promise<void> {
  await tx.query(
    sql`update auth.users set email_change_confirm_status = 1, updated_at = ${now} where id = ${userId}`,
  );
}

/**
 * Applies a confirmed email address to the user and to the email identity.
 *
 * @throws AuthError 422 `email_exists`
 */
export async function changeEmail(tx: Transaction, userId: string, email: string, now: Date): Promise<void> {
  try {
    await tx.query(sql`update auth.users set email = ${email}, email_change = null, email_change_confirm_status = 0,
      email_confirmed_at = ${now}, is_anonymous = false, updated_at = ${now} where id = ${userId}`);
  } catch (error) {
    throw toUniqueViolationError(error);
  }
  const data = { sub: userId, email, email_verified: true, phone_verified: false };
  await upsertEmailIdentity(tx, userId, data, now);
}

/**
 * Replaces an email address that came from an identity by the verified one of another identity.
 *
 * @param email null if no identity has one
 * @throws AuthError 422 `email_exists`
 */
export async function replaceEmail(
  tx: Transaction,
  userId: string,
  email: string | null,
  now: Date,
): Promise<void> {
  try {
    await tx.query(sql`update auth.users set email = ${email},
      email_confirmed_at = ${email === null ? null : now}, updated_at = ${now} where id = ${userId}`);
  } catch (error) {
    throw toUniqueViolationError(error);
  }
}

/** Creates the email identity of a user, or merges data into it. */
export async function upsertEmailIdentity(
  tx: Transaction,
  userId: string,
  data: Readonly<Record<string, unknown>>,
  now: Date,
): Promise<void> {
  await tx.query(sql`insert into auth.identities (user_id, provider, provider_id, identity_data)
    values (${userId}, 'email', ${userId}, ${JSON.stringify(data)}::jsonb)
    on conflict (provider, provider_id) do update set
      identity_data = auth.identities.identity_data || excluded.identity_data, updated_at = ${now}`);
}

/** Stores the requested phone number. The old one stays until the change is confirmed. */
export async function storePhoneChange(
  tx: Transaction,
  userId: string,
  phone: string,
  now: Date,
): Promise<void> {
  await tx.query(sql`update auth.users set phone_change = ${phone}, phone_change_sent_at = ${now}, updated_at = ${now}
    where id = ${userId}`);
}

/**
 * Applies a confirmed phone number to the user and to the phone identity.
 *
 * @throws AuthError 422 `phone_exists`
 */
export async function changePhone(tx: Transaction, userId: string, phone: string, now: Date): Promise<void> {
  try {
    await tx.query(sql`update auth.users set phone = ${phone}, phone_confirmed_at = ${now}, phone_change = null,
      is_anonymous = false, updated_at = ${now} where id = ${userId}`);
  } catch (error) {
    throw isUniqueViolation(error) ? phoneExistsError() : error;
  }
  const data = { sub: userId, phone, email_verified: false, phone_verified: true };
  await tx.query(sql`insert into auth.identities (user_id, provider, provider_id, identity_data)
    values (${userId}, 'phone', ${userId}, ${JSON.stringify(data)}::jsonb)
    on conflict (provider, provider_id) do update set identity_data = excluded.identity_data, updated_at = ${now}`);
}
