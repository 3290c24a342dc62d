/** Sessions: opening, ending, and the token response that every way of signing in ends with. */
import { randomUUID } from 'node:crypto';
import { type Transaction, sql } from '@lanternrock/postgres';
import type { Config } from '../../config/settings.ts';
import { ApiError } from '../../errors.ts';
import { addSeconds, type AuthContext, type ClientInfo } from '../auth-context.ts';
import { createRefreshToken, createTokenKey } from './refresh-token.ts';
import { needsSetup, findUserById, toUserJson, type UserRecord } from '../users/user-records.ts';

export interface SessionRecord {
  readonly id: string;
  readonly user_id: string;
  readonly aal: 'aal1' | 'aal2';
  readonly tag: string | null;
  readonly not_after: Date | null;
  readonly refreshed_at: Date | null;
  readonly created_at: Date;
  readonly factor_id: string | null;
  readonly refresh_token_key: Uint8Array;
  /** bigint, as text. */
  readonly refresh_token_counter: string;
  /** The first token since the session was raised; a bigint, as text. */
  readonly refresh_token_floor: string;
  /** When the user last proved who they are, beyond signing in. */
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

/** Everything of which a token response is made; read inside the transaction, signed outside. */
export interface ActiveSession {
  readonly user: UserRecord;
  readonly session: SessionRecord;
  /** Newest first; timestamps in Unix seconds. */
  readonly amr: readonly { method: string; timestamp: number }[];
}

export interface SessionInput {
  readonly user: Pick<UserRecord, 'id'>;
  readonly method: AuthenticationMethod;
  readonly caller: ClientInfo;
  readonly tag?: string | null;
}

/** Tag of sessions that an invitation's link opened. */
export const invitationTag = (invitationId: string): string => `invitation:${invitationId}`;
export const isInvitationSession = (session: SessionRecord | null): boolean =>
  session?.tag?.startsWith('invitation:') ?? false;

/** Tag of sessions from a recovery link or code, until the password is set. */
export const recoveryTag = 'recovery';
const isRecoverySession = (session: SessionRecord | null): boolean => session?.tag === recoveryTag;

/** Returns true if the user came by an invitation or recovery link and still has to set a password. */
export const isLinkSession = ({
  user,
  session,
}: {
  readonly user: UserRecord;
  readonly session: SessionRecord | null;
}): boolean => needsSetup(user) || isInvitationSession(session) || isRecoverySession(session);

/** The invitation that opened a session, or null. */
export const invitationIdOf = (session: SessionRecord | null): string | null =>
  isInvitationSession(session) ? (session?.tag?.slice('invitation:'.length) ?? null) : null;

export const sessionNotFoundError = (): ApiError =>
  new ApiError(403, 'session_not_found', 'Session from session_id claim in JWT does not exist');

/**
 * Adds a session and notes the sign-in on the user. The user's row comes first: whoever takes the access
 * away at this moment either waits, and ends this session too, or is waited for, and none is made.
 * @throws ApiError 403 `user_banned` for somebody who was banned or deleted since the caller looked
 */
export async function createSession(
  tx: Transaction,
  context: AuthContext,
  { user, method, caller, tag = null }: SessionInput,
): Promise<ActiveSession> {
  const id = randomUUID();
  const now = context.now();
  const { SESSION_TIMEBOX } = context.config;
  const notAfter = SESSION_TIMEBOX > 0 ? addSeconds(now, SESSION_TIMEBOX) : null;
  const [welcome] = await tx.query(sql`update auth.users set last_sign_in_at = ${now}, updated_at = ${now}
    where id = ${user.id} and deleted_at is null and (banned_until is null or banned_until <= ${now}) returning id`);
  if (!welcome) throw new ApiError(403, 'user_banned', 'User is banned');
  await tx.query(sql`insert into auth.sessions
      (id, user_id, tag, not_after, user_agent, ip, refresh_token_key, created_at, updated_at)
    values (${id}, ${user.id}, ${tag}, ${notAfter}, ${caller.userAgent}, ${caller.ip || null}::inet,
      ${createTokenKey(context.keys, id)}, ${now}, ${now})`);
  await recordAuthMethod(tx, id, method, now);
  if (context.config.SESSION_SINGLE) {
    // The rows stay for a while, so that the next refresh can say why it is over.
    await tx.query(sql`update auth.sessions set not_after = ${now} where user_id = ${user.id} and id <> ${id}
      and (not_after is null or not_after > ${now})`);
  }
  return loadSession(tx, id);
}

/** One row per session and method; using a method again renews its time. */
export async function recordAuthMethod(
  tx: Transaction,
  sessionId: string,
  method: AuthenticationMethod,
  now: Date,
): Promise<void> {
  await tx.query(sql`insert into auth.mfa_amr_claims (session_id, authentication_method, created_at, updated_at)
    values (${sessionId}, ${method}, ${now}, ${now})
    on conflict (session_id, authentication_method) do update set updated_at = excluded.updated_at`);
}

/** @throws Error when the session or its user ended meanwhile. */
export async function loadSession(tx: Transaction, sessionId: string): Promise<ActiveSession> {
  const [session] = await tx.query<SessionRecord>(sql`select * from auth.sessions where id = ${sessionId}`);
  const user = session ? await findUserById(tx, session.user_id) : null;
  if (!session || !user) throw new Error('The session ended while it was read');
  const amr = await tx.query<{ method: string; timestamp: number }>(
    sql`select authentication_method as method, floor(extract(epoch from updated_at))::int as timestamp
      from auth.mfa_amr_claims where session_id = ${sessionId} order by updated_at desc, authentication_method`,
  );
  return { user, session, amr };
}

/** The contract's token response (3.4, 3.5). */
export async function tokenResponse(
  context: AuthContext,
  { user, session, amr }: ActiveSession,
  more: Readonly<Record<string, unknown>> = {},
): Promise<Record<string, unknown>> {
  const { config, keys } = context;
  const issuedAt = Math.floor(context.now().getTime() / 1000);
  const expiresAt = Math.min(issuedAt + config.ACCESS_TOKEN_TTL, aal1ExpiresAt(config, user, session));
  const seen = toSessionUserJson(user, session);
  const accessToken = await keys.signing.sign({
    iss: config.JWT_ISSUER,
    sub: user.id,
    aud: user.aud,
    exp: expiresAt,
    iat: issuedAt,
    email: user.email ?? '',
    phone: user.phone ?? '',
    app_metadata: seen['app_metadata'],
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
    // Zero would be no session to the client.
    expires_in: Math.max(1, expiresAt - issuedAt),
    expires_at: expiresAt,
    refresh_token: createRefreshToken(keys, {
      id: session.id,
      key: session.refresh_token_key,
      counter: Number(session.refresh_token_counter),
    }),
    user: seen,
    ...more,
  };
}

/**
 * When a session of somebody with a second factor is over unless the factor is shown, in Unix
 * seconds; Infinity when it is not.
 */
export function aal1ExpiresAt(config: Config, user: UserRecord, { aal, created_at }: SessionRecord): number {
  if (config.SESSION_LOW_AAL === 0 || aal === 'aal2' || !user.has_verified_factor) return Infinity;
  return Math.floor(created_at.getTime() / 1000) + config.SESSION_LOW_AAL;
}

/**
 * The user object with `setup_required` also for somebody who has a password but came by an
 * invitation: that session, too, can do nothing but set one.
 */
export function toSessionUserJson(user: UserRecord, session: SessionRecord | null): Record<string, unknown> {
  const json = toUserJson(user);
  if (!isInvitationSession(session) || needsSetup(user)) return json;
  return { ...json, app_metadata: { ...user.raw_app_meta_data, setup_required: true } };
}

/** Revokes every session of the user but one. Without one to keep, devices that signed in before are forgotten too. */
export async function revokeOtherSessions(
  tx: Transaction,
  userId: string,
  keep: string | null,
): Promise<void> {
  if (keep === null)
    await tx.query(sql`update auth.users set device_epoch = device_epoch + 1 where id = ${userId}`);
  await tx.query(
    sql`delete from auth.sessions where user_id = ${userId} and id is distinct from ${keep}::uuid`,
  );
}
