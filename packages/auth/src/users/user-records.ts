/** Users as the service reads them, and their JSON for clients. */
import { type Transaction, sql } from '@lanternrock/postgres';

interface IdentityRecord {
  readonly id: string;
  readonly user_id: string;
  readonly provider: string;
  readonly provider_id: string;
  readonly identity_data: Readonly<Record<string, unknown>>;
  readonly email: string | null;
  readonly last_sign_in_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export type FactorType = 'totp' | 'webauthn' | 'phone';
export type FactorState = 'unverified' | 'verified';

export interface FactorRecord {
  readonly id: string;
  readonly user_id: string;
  readonly friendly_name: string;
  readonly factor_type: FactorType;
  readonly status: FactorState;
  readonly phone: string | null;
  readonly last_challenged_at: string | null;
  readonly web_authn_aaguid: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A row of `auth.user_records`. Contains the password hash; never send it to a client. */
export interface UserRecord {
  readonly id: string;
  readonly aud: string;
  readonly role: string;
  readonly email: string | null;
  readonly encrypted_password: string | null;
  readonly email_confirmed_at: Date | null;
  readonly invited_at: Date | null;
  readonly confirmation_sent_at: Date | null;
  readonly recovery_sent_at: Date | null;
  readonly reauthentication_sent_at: Date | null;
  readonly email_change: string | null;
  readonly email_change_sent_at: Date | null;
  readonly email_change_confirm_status: number;
  readonly phone: string | null;
  readonly phone_confirmed_at: Date | null;
  readonly phone_change: string | null;
  readonly phone_change_sent_at: Date | null;
  readonly confirmed_at: Date | null;
  readonly last_sign_in_at: Date | null;
  readonly raw_app_meta_data: Readonly<Record<string, unknown>>;
  readonly raw_user_meta_data: Readonly<Record<string, unknown>>;
  readonly is_anonymous: boolean;
  readonly has_verified_factor: boolean;
  readonly banned_until: Date | null;
  readonly deleted_at: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly identities: readonly IdentityRecord[];
  readonly factors: readonly FactorRecord[];
}

export async function findUserById(tx: Transaction, id: string): Promise<UserRecord | null> {
  const [row] = await tx.query<UserRecord>(
    sql`select * from auth.user_records where id = ${id} and deleted_at is null`,
  );
  return row ?? null;
}

/** @param email normalized */
export async function findUserByEmail(tx: Transaction, email: string): Promise<UserRecord | null> {
  const [row] = await tx.query<UserRecord>(
    sql`select * from auth.user_records where email = ${email} and deleted_at is null`,
  );
  return row ?? null;
}

export async function findUserByPhone(tx: Transaction, phone: string): Promise<UserRecord | null> {
  const [row] = await tx.query<UserRecord>(
    sql`select * from auth.user_records where phone = ${phone} and deleted_at is null`,
  );
  return row ?? null;
}

/**
 * Locks the user row of an email address. Read the user in a later statement: one that locks and reads would see the
 * other tables as they were before the wait.
 */
export async function lockUserByEmail(tx: Transaction, email: string): Promise<void> {
  await tx.query(sql`select from auth.users where email = ${email} for no key update`);
}

/**
 * Serializes all changes to the user's sign-in methods. Lock the user before any of them. `for update` would block the foreign
 * keys of other transactions, also of one that updates a row twice: the mail worker and a resend deadlocked.
 */
export async function lockUser(tx: Transaction, id: string): Promise<void> {
  await tx.query(sql`select id from auth.users where id = ${id} for no key update`);
}

export const isBanned = (user: Pick<UserRecord, 'banned_until'>, now: Date): boolean =>
  user.banned_until !== null && user.banned_until > now;

/** Returns true until the user has set a first password. */
export const needsSetup = (user: UserRecord): boolean => user.raw_app_meta_data['setup_required'] === true;

type Json = Record<string, unknown>;

/**
 * Returns the user object of Supabase Auth: strings never null, neither hash nor token. JSON leaves out undefined
 * fields.
 */
export function toUserJson(user: UserRecord): Json {
  return {
    id: user.id,
    aud: user.aud,
    role: user.role,
    email: user.email ?? '',
    phone: user.phone ?? '',
    email_confirmed_at: user.email_confirmed_at?.toISOString(),
    phone_confirmed_at: user.phone_confirmed_at?.toISOString(),
    confirmed_at: user.confirmed_at?.toISOString(),
    invited_at: user.invited_at?.toISOString(),
    confirmation_sent_at: user.confirmation_sent_at?.toISOString(),
    recovery_sent_at: user.recovery_sent_at?.toISOString(),
    email_change_sent_at: user.email_change_sent_at?.toISOString(),
    phone_change_sent_at: user.phone_change_sent_at?.toISOString(),
    reauthentication_sent_at: user.reauthentication_sent_at?.toISOString(),
    last_sign_in_at: user.last_sign_in_at?.toISOString(),
    banned_until: user.banned_until?.toISOString(),
    deleted_at: user.deleted_at?.toISOString(),
    new_email: user.email_change || undefined,
    new_phone: user.phone_change || undefined,
    app_metadata: user.raw_app_meta_data,
    user_metadata: user.raw_user_meta_data,
    identities: user.identities.map(toIdentityJson),
    factors: user.factors.length > 0 ? user.factors.map(toFactorJson) : undefined,
    is_anonymous: user.is_anonymous,
    created_at: user.created_at.toISOString(),
    updated_at: user.updated_at.toISOString(),
  };
}

/** `identity_id` is the ID of the row, `id` the provider's ID of the user. */
function toIdentityJson(identity: IdentityRecord): Json {
  return {
    identity_id: identity.id,
    id: identity.provider_id,
    user_id: identity.user_id,
    identity_data: identity.identity_data,
    provider: identity.provider,
    last_sign_in_at: identity.last_sign_in_at ? toIsoTime(identity.last_sign_in_at) : undefined,
    created_at: toIsoTime(identity.created_at),
    updated_at: toIsoTime(identity.updated_at),
    email: identity.email || undefined,
  };
}

export function toFactorJson(factor: FactorRecord): Json {
  return {
    id: factor.id,
    created_at: toIsoTime(factor.created_at),
    updated_at: toIsoTime(factor.updated_at),
    status: factor.status,
    friendly_name: factor.friendly_name || undefined,
    factor_type: factor.factor_type,
    phone: factor.phone || undefined,
    last_challenged_at: factor.last_challenged_at ? toIsoTime(factor.last_challenged_at) : null,
    web_authn_aaguid: factor.web_authn_aaguid || undefined,
  };
}

const toIsoTime = (time: string): string => new Date(time).toISOString();
