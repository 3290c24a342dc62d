/** Sessions as the service reads them, and the token response of every sign-in. */
import { type Database, type Transaction, sql } from '@lanternrock/postgres';
import type { DatabaseClock } from '@lanternrock/postgres/clock';
import type { AuthSettings } from '../settings.ts';
import { AuthError } from '../auth-error.ts';
import type { Keys } from '../keys/keys.ts';
import { createRefreshToken } from './refresh-token.ts';
import { needsSetup, findUserById, toUserJson, type UserRecord } from '../users/user-records.ts';

/** The part of `AuthContext` that sessions need. */
export interface SessionContext {
  readonly config: AuthSettings;
  readonly database: Database;
  readonly keys: Keys;
  /** The clock of the database. */
  readonly now: DatabaseClock['read'];
}

export interface SessionRecord {
  readonly id: string;
  readonly user_id: string;
  readonly aal: 'aal1' | 'aal2';
  /** The email link of the session, until its user sets a password: `recoveryLink`, or `InviteTarget.reference`. */
  readonly from_link: string | null;
  readonly not_after: Date | null;
  readonly refreshed_at: Date | null;
  readonly created_at: Date;
  readonly factor_id: string | null;
  /** The passkey that signed in. */
  readonly passkey_id: string | null;
  /** The user verification of the passkey gave the session AAL2. */
  readonly passkey_aal2: boolean;
  readonly refresh_token_key: Uint8Array;
  /** bigint, as text. */
  readonly refresh_token_counter: string;
  /** Counter of the first token since the session was elevated; bigint, as text. */
  readonly refresh_token_floor: string;
  /** Last reauthentication after sign-in. */
  readonly reauthenticated_at: Date | null;
}

export type AuthenticationMethod =
  | 'password'
  | 'otp'
  | 'oauth'
  | 'totp'
  | 'mfa/phone'
  | 'mfa/webauthn'
  | 'mfa/recovery_code'
  | 'passkey'
  | 'anonymous'
  | 'recovery'
  | 'invite'
  | 'magiclink'
  | 'email/signup'
  | 'email_change';

/** The data of a token response; read inside the transaction, signed outside. */
export interface ActiveSession {
  readonly user: UserRecord;
  readonly session: SessionRecord;
  /** Time of the database when it was read, at which the access token is issued. */
  readonly readAt: Date;
  /** Newest first; timestamps in Unix seconds. */
  readonly amr: readonly { method: string; timestamp: number }[];
}

/** `from_link` of sessions from a recovery link or code. */
export const recoveryLink = 'recovery';

/** Returns `InviteTarget.reference` of a session from an invite link, which can only set a password, or null. */
export const findInviteReference = (session: SessionRecord | null): string | null =>
  session === null || session.from_link === recoveryLink ? null : session.from_link;

/** Returns true if the session comes from an invite or recovery link and the user still has to set a password. */
export const isLinkSession = ({
  user,
  session,
}: {
  readonly user: UserRecord;
  readonly session: SessionRecord | null;
}): boolean => needsSetup(user) || (session !== null && session.from_link !== null);

export const sessionNotFoundError = (): AuthError =>
  new AuthError(403, 'session_not_found', 'Session from session_id claim in JWT does not exist');

/** @throws Error if the session or its user was deleted concurrently */
export async function loadSession(tx: Transaction, sessionId: string, readAt: Date): Promise<ActiveSession> {
  const [session] = await tx.query<SessionRecord>(sql`select * from auth.sessions where id = ${sessionId}`);
  const user = session ? await findUserById(tx, session.user_id) : null;
  if (!session || !user) throw new Error('The session was deleted concurrently');
  const amr = await tx.query<{ method: string; timestamp: number }>(
    sql`select authentication_method as method, floor(extract(epoch from updated_at))::int as timestamp
      from auth.mfa_amr_claims where session_id = ${sessionId} order by updated_at desc, authentication_method`,
  );
  return { user, session, readAt, amr };
}

/** Returns the token response of Supabase Auth. */
export async function buildTokenResponse(
  context: Pick<SessionContext, 'config' | 'keys'>,
  { user, session, readAt, amr }: ActiveSession,
  extraFields: Readonly<Record<string, unknown>> = {},
): Promise<Record<string, unknown>> {
  const { config, keys } = context;
  const issuedAt = Math.floor(readAt.getTime() / 1000);
  const expiresAt = Math.min(issuedAt + config.ACCESS_TOKEN_TTL, aal1ExpiresAt(config, user, session));
  const userJson = toSessionUserJson(user, session);
  const accessToken = await keys.signing.sign({
    iss: config.JWT_ISSUER,
    sub: user.id,
    aud: user.aud,
    exp: expiresAt,
    iat: issuedAt,
    email: user.email ?? '',
    phone: user.phone ?? '',
    app_metadata: userJson['app_metadata'],
    user_metadata: user.raw_user_meta_data,
    role: user.role,
    aal: session.aal,
    amr,
    session_id: session.id,
    is_anonymous: user.is_anonymous,
  });
  return {
    access_token: accessToken,
    token_type: 'bearer',
    // auth-js treats 0 as no session.
    expires_in: Math.max(1, expiresAt - issuedAt),
    expires_at: expiresAt,
    refresh_token: createRefreshToken(keys, {
      id: session.id,
      key: session.refresh_token_key,
      counter: Number(session.refresh_token_counter),
    }),
    user: userJson,
    ...extraFields,
  };
}

/**
 * Returns the end of an AAL1 session of a user with a second factor, in Unix seconds; Infinity if it does not expire.
 */
export function aal1ExpiresAt(
  config: AuthSettings,
  user: UserRecord,
  { aal, created_at }: SessionRecord,
): number {
  if (config.SESSION_LOW_AAL === 0 || aal === 'aal2' || !user.has_verified_factor) return Infinity;
  return Math.floor(created_at.getTime() / 1000) + config.SESSION_LOW_AAL;
}

/**
 * Returns the user object. `setup_required` is also set for a user with a password in a session that can only set a
 * password.
 */
export function toSessionUserJson(user: UserRecord, session: SessionRecord | null): Record<string, unknown> {
  const json = toUserJson(user);
  if (findInviteReference(session) === null || needsSetup(user)) return json;
  return { ...json, app_metadata: { ...user.raw_app_meta_data, setup_required: true } };
}
