/** Guards of endpoints that require a signed-in user or the secret key. */
import { type Transaction, sql } from '@lanternrock/postgres';
import { AuthError, passwordNotSetError, userBannedError } from '../auth-error.ts';
import type { AuthContext } from '../auth-context.ts';
import type { ClientInfo } from '../client-info.ts';
import { readCredentials } from '../sessions/credentials.ts';
import { sessionNotFoundError, findInviteReference, type SessionRecord } from '../sessions/sessions.ts';
import { InvalidTokenError, type Claims } from '../sessions/token-verifier.ts';
import { isBanned, lockUser, needsSetup, findUserById, type UserRecord } from '../users/user-records.ts';
import { isUuid } from '@lanternrock/contract/uuid';

export interface SignedInUser {
  readonly user: UserRecord;
  /** Null for a token without a session. */
  readonly session: SessionRecord | null;
  readonly claims: Claims;
  readonly client: ClientInfo;
}

/** The parts of a request that identify the user. */
export interface UserRequest {
  readonly headers: Headers;
  readonly client: ClientInfo;
}

/** Users who still have to set a first password, or to verify a second factor. */
export type PendingStep = 'setup' | 'factor';

/**
 * Returns the claims of the bearer token.
 *
 * @throws AuthError 401 `no_authorization`, 403 `bad_jwt`
 */
async function readClaims(headers: Headers, { keys, config, verifier }: AuthContext): Promise<Claims> {
  const credentials = readCredentials(headers, keys, config);
  if (credentials.kind === 'key') return { role: credentials.role };
  if (credentials.kind !== 'token') {
    throw new AuthError(401, 'no_authorization', 'This endpoint requires a valid Bearer token');
  }
  try {
    return await verifier.verify(credentials.token);
  } catch (error) {
    if (!(error instanceof InvalidTokenError)) throw error;
    throw new AuthError(403, 'bad_jwt', `invalid JWT: unable to parse or verify signature, ${error.message}`);
  }
}

/**
 * Returns the signed-in user. Reads the session row on every call, so a revoked session is rejected immediately.
 *
 * @throws AuthError 401 `no_authorization`; 403 `bad_jwt`, `user_not_found`, `session_not_found`, `user_banned`,
 *   `password_not_set`, `insufficient_aal`
 */
export async function requireUser(
  { headers, client }: UserRequest,
  context: AuthContext,
  allow: readonly PendingStep[] = [],
): Promise<SignedInUser> {
  const claims = await readClaims(headers, context);
  const { sub, session_id: sessionId } = claims;
  if (sub === undefined || sub === '') throw badJwtError(403, 'invalid claim: missing sub claim');
  if (typeof sub !== 'string' || !isUuid(sub))
    throw badJwtError(400, 'invalid claim: sub claim must be a UUID');
  if (sessionId !== undefined && (typeof sessionId !== 'string' || !isUuid(sessionId))) {
    throw badJwtError(403, 'invalid claim: session_id claim must be a UUID');
  }
  const user = await findUserById(context.database, sub);
  if (!user) throw new AuthError(403, 'user_not_found', 'User from sub claim in JWT does not exist');
  const now = await context.now(context.database);
  const storedSession =
    sessionId === undefined ? null : await findActiveSession(context, { userId: sub, sessionId, now });
  // A token from before the second factor stays at AAL1 after its session was elevated.
  const session: SessionRecord | null =
    storedSession && claims['aal'] !== 'aal2' ? { ...storedSession, aal: 'aal1' } : storedSession;
  if (sessionId !== undefined && !session) {
    throw sessionNotFoundError();
  }
  if (isBanned(user, now)) throw userBannedError();
  if (!allow.includes('setup') && (needsSetup(user) || findInviteReference(session) !== null)) {
    throw passwordNotSetError();
  }
  if (!allow.includes('factor') && user.has_verified_factor && session?.aal !== 'aal2') {
    throw new AuthError(403, 'insufficient_aal', 'Verify your second factor before you continue');
  }
  return { user, session, claims, client };
}

/**
 * Returns a user with a session.
 *
 * @throws AuthError 403 `session_not_found` for a token without one
 */
export async function requireSession(
  request: UserRequest,
  context: AuthContext,
  allow: readonly PendingStep[] = [],
): Promise<SignedInUser & { readonly session: SessionRecord }> {
  const signedInUser = await requireUser(request, context, allow);
  if (!signedInUser.session)
    throw new AuthError(403, 'session_not_found', 'This endpoint requires a session');
  return { ...signedInUser, session: signedInUser.session };
}

/**
 * Locks the user and checks that the user and the session are still active. The guard read them before the body,
 * which a client can delay while the owner recovers the account. Call it first in every transaction of a signed-in
 * user, so that the user is locked before any of the user's rows.
 *
 * @throws AuthError 403 `session_not_found`
 */
export async function lockActiveSession(
  tx: Transaction,
  { now: getNow }: Pick<AuthContext, 'now'>,
  { user, session }: Pick<SignedInUser, 'user' | 'session'>,
): Promise<void> {
  const sessionId = session?.id ?? null;
  await lockUser(tx, user.id);
  const now = await getNow(tx);
  const [active] = await tx.query(sql`select u.id from auth.users u
    where u.id = ${user.id} and u.deleted_at is null and (u.banned_until is null or u.banned_until <= ${now})
      and (${sessionId}::uuid is null or exists (select from auth.sessions s
        where s.id = ${sessionId}::uuid and s.user_id = u.id and (s.not_after is null or s.not_after > ${now})))`);
  if (!active) throw sessionNotFoundError();
}

/**
 * Requires the secret key or a token of its role.
 *
 * @throws AuthError 401 `no_authorization`; 403 `bad_jwt`, `session_expired`, `not_admin`
 */
export async function requireServiceRole({ headers }: UserRequest, context: AuthContext): Promise<void> {
  const claims = await readClaims(headers, context);
  const { sub, session_id: sessionId, role } = claims;
  if (typeof sessionId === 'string' && typeof sub === 'string') {
    const now = await context.now(context.database);
    const isActive =
      isUuid(sessionId) && isUuid(sub) && (await findActiveSession(context, { userId: sub, sessionId, now }));
    if (!isActive) throw new AuthError(403, 'session_expired', 'Session is no longer valid');
  }
  if (role !== 'service_role') throw new AuthError(403, 'not_admin', 'User not allowed');
}

async function findActiveSession(
  { database }: AuthContext,
  { userId, sessionId, now }: { readonly userId: string; readonly sessionId: string; readonly now: Date },
): Promise<SessionRecord | null> {
  const [session] = await database.query<SessionRecord>(sql`select * from auth.sessions
    where id = ${sessionId} and user_id = ${userId} and (not_after is null or not_after > ${now})`);
  return session ?? null;
}

const badJwtError = (status: 400 | 403, message: string): AuthError =>
  new AuthError(status, 'bad_jwt', message);
