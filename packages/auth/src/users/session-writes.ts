/** Writes sessions, in the transaction of the caller. No other file writes `auth.sessions`. */
import { randomUUID } from 'node:crypto';
import { type Transaction, sql } from '@lanternrock/postgres';
import { AuthError } from '../auth-error.ts';
import { addSeconds, type AuthContext, type ClientInfo } from '../auth-context.ts';
import { createTokenKey } from '../sessions/refresh-token.ts';
import {
  loadSession,
  recoveryTag,
  type ActiveSession,
  type AuthenticationMethod,
  type SessionRecord,
} from '../sessions/sessions.ts';
import type { UserRecord } from './user-records.ts';

export interface SessionInput {
  readonly user: Pick<UserRecord, 'id'>;
  readonly method: AuthenticationMethod;
  readonly client: ClientInfo;
  readonly tag?: string | null;
}

/**
 * Creates a session and records the sign-in. Locks the user row first: a concurrent ban either waits and revokes this
 * session, or commits first and this call throws.
 *
 * @throws AuthError 403 `user_banned` if the user was banned or deleted concurrently
 */
export async function createSession(
  tx: Transaction,
  context: AuthContext,
  { user, method, client, tag = null }: SessionInput,
): Promise<ActiveSession> {
  const id = randomUUID();
  const now = context.now();
  const { SESSION_TIMEBOX } = context.config;
  const notAfter = SESSION_TIMEBOX > 0 ? addSeconds(now, SESSION_TIMEBOX) : null;
  const [updated] = await tx.query(sql`update auth.users set last_sign_in_at = ${now}, updated_at = ${now}
    where id = ${user.id} and deleted_at is null and (banned_until is null or banned_until <= ${now}) returning id`);
  if (!updated) throw new AuthError(403, 'user_banned', 'User is banned');
  await tx.query(sql`insert into auth.sessions
      (id, user_id, tag, not_after, user_agent, ip, refresh_token_key, created_at, updated_at)
    values (${id}, ${user.id}, ${tag}, ${notAfter}, ${client.userAgent}, ${client.ip || null}::inet,
      ${createTokenKey(context.keys, id)}, ${now}, ${now})`);
  await recordAuthMethod(tx, id, method, now);
  if (context.config.SESSION_SINGLE) {
    // The rows are kept for now, so that the next refresh can return the reason.
    await tx.query(sql`update auth.sessions set not_after = ${now} where user_id = ${user.id} and id <> ${id}
      and (not_after is null or not_after > ${now})`);
  }
  return loadSession(tx, id);
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

/**
 * Elevates a session to AAL2 after a second factor was verified, makes it fresh and replaces its refresh token. An
 * older refresh token counts as stolen from now on. Revokes every other AAL1 session of the user.
 *
 * @param factorId null for a recovery code
 */
export async function elevateSession(
  tx: Transaction,
  context: AuthContext,
  session: SessionRecord,
  method: AuthenticationMethod,
  factorId: string | null,
): Promise<ActiveSession> {
  const now = context.now();
  await tx.query(sql`update auth.sessions set aal = 'aal2', factor_id = ${factorId}, refreshed_at = ${now},
    reauthenticated_at = ${now}, refresh_token_counter = refresh_token_counter + 1,
    refresh_token_floor = refresh_token_counter + 1, updated_at = ${now} where id = ${session.id}`);
  await recordAuthMethod(tx, session.id, method, now);
  await revokeSessions(tx, { userId: session.user_id, except: session.id, aal: 'aal1' });
  return loadSession(tx, session.id);
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

/** Removes the tag that restricts a session from a link to setting a password. */
export async function clearSessionTag(tx: Transaction, sessionId: string, now: Date): Promise<void> {
  await tx.query(sql`update auth.sessions set tag = null, updated_at = ${now} where id = ${sessionId}`);
}

/** Selects the sessions to revoke. */
export type SessionFilter =
  /** One session; with `userId`, only if it belongs to this user. */
  | { readonly id: string; readonly userId?: string }
  /** The sessions with this tag. */
  | { readonly tag: string }
  /** The sessions that expired before this time. */
  | { readonly expiredBefore: Date }
  /** The sessions of a user, except one session, those at AAL2, or those from an invite link. */
  | {
      readonly userId: string;
      readonly except?: string | undefined;
      readonly aal?: 'aal1';
      readonly exceptSetup?: boolean;
    };

export interface RevokedSession {
  readonly id: string;
  readonly user_id: string;
  readonly created_at: Date;
}

/**
 * Deletes sessions. No other statement deletes a session, except the deletion of its user. Revoking all sessions of a
 * user also invalidates the tokens of known devices.
 *
 * @returns the deleted sessions; empty if none matched
 */
export async function revokeSessions(tx: Transaction, filter: SessionFilter): Promise<RevokedSession[]> {
  if ('id' in filter) {
    return tx.query(sql`delete from auth.sessions
      where id = ${filter.id} and user_id = coalesce(${filter.userId ?? null}::uuid, user_id)
      returning id, user_id, created_at`);
  }
  if ('tag' in filter) {
    return tx.query(
      sql`delete from auth.sessions where tag = ${filter.tag} returning id, user_id, created_at`,
    );
  }
  if ('expiredBefore' in filter) {
    return tx.query(sql`delete from auth.sessions where not_after < ${filter.expiredBefore}
      returning id, user_id, created_at`);
  }
  const { userId, except = null, aal = null, exceptSetup = false } = filter;
  if (except === null && aal === null && !exceptSetup)
    await tx.query(sql`update auth.users set device_epoch = device_epoch + 1 where id = ${userId}`);
  return tx.query(sql`delete from auth.sessions
    where user_id = ${userId} and id is distinct from ${except}::uuid and aal = coalesce(${aal}::auth.aal_level, aal)
      and (not ${exceptSetup}::boolean or tag is null or tag = ${recoveryTag})
    returning id, user_id, created_at`);
}
