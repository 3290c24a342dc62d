/** `POST /token?grant_type=refresh_token`: rotates the refresh token, and revokes the session if it is reused. */
import { type Transaction, sql } from '@lanternrock/postgres';
import { AuthError } from '../auth-error.ts';
import { writeAuditEntry } from '../audit.ts';
import type { AuthContext } from '../auth-context.ts';
import type { ClientInfo } from '../client-info.ts';
import { endpoint } from '../endpoint/endpoint.ts';
import { passkeysGiveAal2 } from '../settings.ts';
import { parseRefreshToken, type ParsedRefreshToken } from '../sessions/refresh-token.ts';
import {
  aal1ExpiresAt,
  loadSession,
  buildTokenResponse,
  type ActiveSession,
  type SessionRecord,
} from '../sessions/sessions.ts';
import { endPasskeyAal2, revokeSessionById, rotateRefreshToken } from '../sessions/session-writes.ts';
import { isBanned, findUserById, type UserRecord } from '../users/user-records.ts';

const refreshError = (code: string, reason: string): AuthError =>
  new AuthError(400, code, `Invalid Refresh Token: ${reason}`);

export const refreshGrant = endpoint(
  { guard: 'anyone', limit: 'refresh', body: 'required' },
  async ({ c, context, client, body }) => {
    const text = body.getString('refresh_token');
    const token = parseRefreshToken(text);
    if (!token) {
      // The token has the length of a token of another service.
      if (/^[\w-]{12,200}$/.test(text))
        throw refreshError('refresh_token_not_found', 'Refresh Token Not Found');
      throw new AuthError(400, 'validation_failed', 'Refresh token is not valid');
    }
    const outcome = await context.database.transaction((tx) => exchange(tx, context, token, client));
    if (outcome instanceof AuthError) throw outcome;
    return c.json(await buildTokenResponse(context, outcome));
  },
);

/**
 * Exchanges a refresh token. The lock on the session row serializes concurrent calls. Errors are returned as values,
 * because a revoked session and its audit log entry must be committed.
 */
async function exchange(
  tx: Transaction,
  context: AuthContext,
  token: ParsedRefreshToken,
  client: ClientInfo,
): Promise<ActiveSession | AuthError> {
  const [session] = await tx.query<SessionRecord>(
    sql`select * from auth.sessions where id = ${token.sessionId} for update`,
  );
  // After the lock, which a concurrent refresh may hold.
  const now = await context.now(tx);
  if (!session) return refreshError('session_not_found', 'No Valid Session Found');
  if (!token.isGenuine(context.keys, session.refresh_token_key)) {
    return refreshError('refresh_token_not_found', 'Refresh Token Not Found');
  }
  const user = await findUserById(tx, session.user_id);
  if (!user) return refreshError('session_not_found', 'No Valid Session Found');
  if (isBanned(user, now)) return refreshError('user_banned', 'User Banned');
  const expiryReason = await findExpiryReason(tx, context, { session, user, now });
  if (expiryReason) return refreshError('session_expired', expiryReason);

  // The operator has turned the setting off since the sign-in.
  if (session.passkey_aal2 && !passkeysGiveAal2(context.config))
    await endPasskeyAal2(tx, session.id, now, { isRemoved: false });
  const activeCounter = Number(session.refresh_token_counter);
  const difference = activeCounter - token.counter;
  if (difference < 0)
    return new AuthError(400, 'validation_failed', 'Invalid Refresh Token: Not Issued By This Server');
  if (difference === 0) {
    await rotateRefreshToken(tx, session.id, client, now);
    await writeAuditEntry(tx, { action: 'token_refreshed', actor: user, client });
    return loadSession(tx, session.id, now);
  }
  // A retry after a lost response, or another tab that used the token first: returns the active token again, without
  // a time limit. A token from before the second factor must not get it: its holder may know only the password.
  const lastRefresh = (session.refreshed_at ?? session.created_at).getTime();
  const inReuseInterval = now.getTime() - lastRefresh < context.config.REFRESH_REUSE_INTERVAL * 1000;
  const beforeFactor = token.counter < Number(session.refresh_token_floor);
  if (!beforeFactor && (difference === 1 || inReuseInterval)) return loadSession(tx, session.id, now);

  await revokeSessionById(tx, user.id, session.id);
  await writeAuditEntry(tx, {
    action: 'token_reused',
    actor: user,
    client,
    traits: { session_id: session.id },
  });
  context.log.warn(
    { userId: user.id, sessionId: session.id },
    'refresh token reuse detected, session revoked',
  );
  return refreshError('refresh_token_already_used', 'Already Used');
}

/** Returns the reason why a session has expired, or null. */
async function findExpiryReason(
  tx: Transaction,
  { config }: AuthContext,
  { session, user, now }: { readonly session: SessionRecord; readonly user: UserRecord; readonly now: Date },
): Promise<string | null> {
  const age = (since: Date): number => (now.getTime() - since.getTime()) / 1000;
  if (config.SESSION_SINGLE) {
    const newer = await tx.query(sql`select from auth.sessions
      where user_id = ${user.id} and created_at > ${session.created_at} limit 1`);
    if (newer.length > 0) return 'Session Expired (Revoked by Newer Login)';
  }
  if (session.not_after && session.not_after <= now) return 'Session Expired';
  if (config.SESSION_TIMEBOX > 0 && age(session.created_at) > config.SESSION_TIMEBOX)
    return 'Session Expired';
  const idle = age(session.refreshed_at ?? session.created_at);
  if (config.SESSION_INACTIVITY > 0 && idle > config.SESSION_INACTIVITY)
    return 'Session Expired (Inactivity)';
  if (now.getTime() / 1000 >= aal1ExpiresAt(config, user, session))
    return 'Session Expired (Low AAL: User Needs MFA Verification)';
  return null;
}
