/** Creates, changes and revokes sessions, in the transaction of the caller. */
import { randomUUID } from 'node:crypto';
import { type Database, type Transaction, sql } from '@lanternrock/postgres';
import { addSeconds } from '@lanternrock/postgres/clock';
import { deleteExpired } from '@lanternrock/postgres/delete-expired';
import { userBannedError } from '../auth-error.ts';
import type { ClientInfo } from '../client-info.ts';
import { createTokenKey } from './refresh-token.ts';
import {
  loadSession,
  recoveryLink,
  type ActiveSession,
  type AuthenticationMethod,
  type SessionContext,
  type SessionRecord,
} from './sessions.ts';
import { cancelNewMethods } from '../users/revocation.ts';
import type { UserRecord } from '../users/user-records.ts';

export interface SessionInput {
  readonly user: Pick<UserRecord, 'id'>;
  readonly method: AuthenticationMethod;
  readonly client: ClientInfo;
  /** See `SessionRecord.from_link`. */
  readonly fromLink?: string | null;
  /** The passkey that signs in. `givesAal2`: it verified the user, so no second factor is required. */
  readonly passkey?: { readonly id: string; readonly givesAal2: boolean };
}

/**
 * Creates a session and records the sign-in. Locks the user row first: a concurrent ban either waits and revokes this
 * session, or commits first and this call throws.
 *
 * @throws AuthError 403 `user_banned` if the user was banned or deleted concurrently
 */
export async function createSession(
  tx: Transaction,
  context: SessionContext,
  { user, method, client, fromLink = null, passkey }: SessionInput,
): Promise<ActiveSession> {
  const id = randomUUID();
  const now = await context.now(tx);
  const { SESSION_TIMEBOX } = context.config;
  const isAal2 = passkey?.givesAal2 ?? false;
  const notAfter = SESSION_TIMEBOX > 0 ? addSeconds(now, SESSION_TIMEBOX) : null;
  const [updated] = await tx.query(sql`update auth.users set last_sign_in_at = ${now}, updated_at = ${now}
    where id = ${user.id} and deleted_at is null and (banned_until is null or banned_until <= ${now}) returning id`);
  if (!updated) throw userBannedError();
  await tx.query(sql`insert into auth.sessions
      (id, user_id, from_link, not_after, user_agent, ip, refresh_token_key, created_at, updated_at,
        aal, reauthenticated_at, passkey_id, passkey_aal2)
    values (${id}, ${user.id}, ${fromLink}, ${notAfter}, ${client.userAgent}, ${client.ip || null}::inet,
      ${createTokenKey(context.keys, id)}, ${now}, ${now}, ${isAal2 ? 'aal2' : 'aal1'}::auth.aal_level,
      ${isAal2 ? now : null}, ${passkey?.id ?? null}, ${isAal2})`);
  await recordAuthMethod(tx, id, method, now);
  if (context.config.SESSION_SINGLE) {
    // The rows are kept for now, so that the next refresh can return the reason.
    await tx.query(sql`update auth.sessions set not_after = ${now} where user_id = ${user.id} and id <> ${id}
      and (not_after is null or not_after > ${now})`);
  }
  return loadSession(tx, id, now);
}

/** Stores one row per session and method. Using a method again updates its time. */
async function recordAuthMethod(
  tx: Transaction,
  sessionId: string,
  method: AuthenticationMethod,
  now: Date,
): Promise<void> {
  await tx.query(sql`insert into auth.mfa_amr_claims (session_id, authentication_method, created_at, updated_at)
    values (${sessionId}, ${method}, ${now}, ${now})
    on conflict (session_id, authentication_method) do update set updated_at = excluded.updated_at`);
}

/** The methods that only `elevateSession` records. */
const factorMethods: readonly AuthenticationMethod[] = [
  'totp',
  'mfa/phone',
  'mfa/webauthn',
  'mfa/recovery_code',
];

interface Elevation {
  readonly session: SessionRecord;
  readonly method: AuthenticationMethod;
  /** Null for a recovery code. */
  readonly factorId: string | null;
}

/**
 * Elevates a session to AAL2 after a second factor was verified, makes it fresh and replaces its refresh token. An
 * older refresh token counts as stolen from now on. Revokes every other AAL1 session of the user, and cancels new
 * sign-in methods, which one of them can have started.
 */
export async function elevateSession(
  tx: Transaction,
  context: SessionContext,
  { session, method, factorId }: Elevation,
): Promise<ActiveSession> {
  const now = await context.now(tx);
  await tx.query(sql`update auth.sessions set aal = 'aal2', factor_id = ${factorId}, refreshed_at = ${now},
    reauthenticated_at = ${now}, refresh_token_counter = refresh_token_counter + 1,
    refresh_token_floor = refresh_token_counter + 1, updated_at = ${now} where id = ${session.id}`);
  await recordAuthMethod(tx, session.id, method, now);
  await cancelNewMethods(tx, session.user_id);
  await tx.query(sql`delete from auth.sessions
    where user_id = ${session.user_id} and id <> ${session.id} and aal = 'aal1'`);
  return loadSession(tx, session.id, now);
}

/**
 * Ends the AAL2 that a passkey gave a session. The session stays, at AAL1 unless a second factor elevated it, too.
 *
 * @param isRemoved the passkey is removed next, which would otherwise revoke the session
 */
export async function endPasskeyAal2(
  tx: Transaction,
  sessionId: string,
  now: Date,
  { isRemoved }: { readonly isRemoved: boolean },
): Promise<void> {
  await tx.query(sql`update auth.sessions s set passkey_aal2 = false, updated_at = ${now},
      passkey_id = case when ${isRemoved}::boolean then null else s.passkey_id end,
      aal = case when s.passkey_aal2 and not exists (select from auth.mfa_amr_claims a
        where a.session_id = s.id and a.authentication_method = any(${factorMethods}::text[])) then 'aal1' else s.aal end
    where s.id = ${sessionId}`);
}

/**
 * Revokes the sessions that signed in with a passkey, before it is removed, and cancels new sign-in methods, which they
 * can have started. The session `keepId` stays, see `endPasskeyAal2`.
 */
export async function revokePasskeySessions(
  tx: Transaction,
  {
    userId,
    passkeyId,
    keepId,
  }: { readonly userId: string; readonly passkeyId: string; readonly keepId: string | null },
): Promise<void> {
  const revoked = await tx.query(sql`delete from auth.sessions
    where user_id = ${userId} and passkey_id = ${passkeyId} and id is distinct from ${keepId}::uuid returning id`);
  if (revoked.length > 0) await cancelNewMethods(tx, userId);
}

/** Replaces the refresh token of a session. */
export async function rotateRefreshToken(
  tx: Transaction,
  sessionId: string,
  { userAgent, ip }: ClientInfo,
  now: Date,
): Promise<void> {
  await tx.query(sql`update auth.sessions set refresh_token_counter = refresh_token_counter + 1,
    refreshed_at = ${now}, updated_at = ${now}, user_agent = ${userAgent}, ip = ${ip || null}::inet
    where id = ${sessionId}`);
}

/** Records a reauthentication: sensitive changes are allowed for some minutes. */
export async function markSessionFresh(tx: Transaction, sessionId: string, now: Date): Promise<void> {
  await tx.query(sql`update auth.sessions set reauthenticated_at = ${now}, updated_at = ${now}
    where id = ${sessionId}`);
}

/** Makes a session from an email link an ordinary one, after its user has set a password. */
export async function clearSessionLink(tx: Transaction, sessionId: string, now: Date): Promise<void> {
  await tx.query(sql`update auth.sessions set from_link = null, updated_at = ${now} where id = ${sessionId}`);
}

/** Revokes the sessions of a user except those from an invite link, which can only set a password. */
export async function revokeSessionsExceptInvited(tx: Transaction, userId: string): Promise<void> {
  await tx.query(
    sql`delete from auth.sessions where user_id = ${userId} and (from_link is null or from_link = ${recoveryLink})`,
  );
}

/**
 * Revokes the sessions from the links of an invitation.
 *
 * @param reference `InviteTarget.reference`
 */
export async function revokeInvitedSessions(tx: Transaction, reference: string): Promise<void> {
  await tx.query(sql`delete from auth.sessions where from_link = ${reference}`);
}

/**
 * Revokes one session of a user, and cancels new sign-in methods, which it can have started.
 *
 * @returns false if the user has no such session
 */
export async function revokeSessionById(tx: Transaction, userId: string, id: string): Promise<boolean> {
  await cancelNewMethods(tx, userId);
  const revoked = await tx.query(
    sql`delete from auth.sessions where id = ${id} and user_id = ${userId} returning id`,
  );
  return revoked.length > 0;
}

export const deleteExpiredSessions = (database: Database, expiredBefore: Date): Promise<void> =>
  deleteExpired(database, 'auth.sessions', sql`not_after < ${expiredBefore}`);
