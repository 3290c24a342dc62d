/** Guards of endpoints that need a signed-in person or the service's own key (auth contract 2.3). */
import type { Context } from 'hono';
import type { AppEnv } from '../../app-env.ts';
import type { Transaction } from '../../database/database.ts';
import { sql } from '../../database/sql.ts';
import { Refusal } from '../../errors.ts';
import { callerOf, type AuthContext, type Caller } from '../auth-context.ts';
import { readCredentials } from './credentials.ts';
import { isInvitationSession, sessionGone, type SessionRecord } from './sessions.ts';
import { TokenRefusal, type Claims } from './token-verifier.ts';
import { isBanned, lockUser, needsSetup, userById, type UserRecord } from '../users/user-records.ts';
import { isUuid } from '../uuid.ts';

export interface Person {
  readonly user: UserRecord;
  /** Null for a token without a session. */
  readonly session: SessionRecord | null;
  readonly claims: Claims;
  readonly caller: Caller;
}

/** Users who still have to set a first password, or to prove a second factor. */
export type Unfinished = 'setup' | 'factor';

/** Claims of the bearer. @throws Refusal 401 `no_authorization`, 403 `bad_jwt` */
async function readClaims(c: Context<AppEnv>, { keys, config, verifier }: AuthContext): Promise<Claims> {
  const credentials = readCredentials(c.req.raw.headers, keys, config);
  if (credentials.kind === 'key') return { role: credentials.role };
  if (credentials.kind !== 'token') {
    throw new Refusal(401, 'no_authorization', 'This endpoint requires a valid Bearer token');
  }
  try {
    return await verifier.verify(credentials.token);
  } catch (error) {
    if (!(error instanceof TokenRefusal)) throw error;
    throw new Refusal(403, 'bad_jwt', `invalid JWT: unable to parse or verify signature, ${error.message}`);
  }
}

/**
 * The signed-in person, with the session's row read now: whatever was revoked does not come in.
 * @throws Refusal as in the contract's section 2.3
 */
export async function requirePerson(
  c: Context<AppEnv>,
  context: AuthContext,
  allow: readonly Unfinished[] = [],
): Promise<Person> {
  const claims = await readClaims(c, context);
  const { sub, session_id: sessionId } = claims;
  if (sub === undefined || sub === '') throw badToken(403, 'invalid claim: missing sub claim');
  if (typeof sub !== 'string' || !isUuid(sub)) throw badToken(400, 'invalid claim: sub claim must be a UUID');
  if (sessionId !== undefined && (typeof sessionId !== 'string' || !isUuid(sessionId))) {
    throw badToken(403, 'invalid claim: session_id claim must be a UUID');
  }
  const user = await userById(context.database, sub);
  if (!user) throw new Refusal(403, 'user_not_found', 'User from sub claim in JWT does not exist');
  const found = sessionId === undefined ? null : await liveSession(context, sub, sessionId);
  // A token from before the second factor stays what it was, although its session has risen.
  const session: SessionRecord | null = found && claims['aal'] !== 'aal2' ? { ...found, aal: 'aal1' } : found;
  if (sessionId !== undefined && !session) {
    throw sessionGone();
  }
  if (isBanned(user, context.now())) throw new Refusal(403, 'user_banned', 'User is banned');
  if (!allow.includes('setup') && (needsSetup(user) || isInvitationSession(session))) {
    throw new Refusal(403, 'password_not_set', 'Set your password before you go on');
  }
  if (!allow.includes('factor') && user.has_verified_factor && session?.aal !== 'aal2') {
    throw new Refusal(403, 'insufficient_aal', 'Enter the code of your second factor before you go on');
  }
  return { user, session, claims, caller: callerOf(c) };
}

/** A person with a session. @throws Refusal 403 for tokens without one */
export async function requireSession(
  c: Context<AppEnv>,
  context: AuthContext,
  allow: readonly Unfinished[] = [],
): Promise<Person & { readonly session: SessionRecord }> {
  const person = await requirePerson(c, context, allow);
  if (!person.session) throw new Refusal(403, 'session_not_found', 'This endpoint needs a session');
  return { ...person, session: person.session };
}

/**
 * Locks the user and checks that the user and the session are still active: the guard read them before the body, which
 * the client can hold open while the owner recovers the account. First in every transaction of a signed-in user, so
 * the user is also locked before any of the user's rows.
 *
 * @throws Refusal 403 `session_not_found`
 */
export async function lockLiveSession(
  tx: Transaction,
  { now: clock }: Pick<AuthContext, 'now'>,
  { user, session }: Pick<Person, 'user' | 'session'>,
): Promise<void> {
  const now = clock();
  const sessionId = session?.id ?? null;
  await lockUser(tx, user.id);
  const [active] = await tx.query(sql`select u.id from auth.users u
    where u.id = ${user.id} and u.deleted_at is null and (u.banned_until is null or u.banned_until <= ${now})
      and (${sessionId}::uuid is null or exists (select from auth.sessions s
        where s.id = ${sessionId}::uuid and s.user_id = u.id and (s.not_after is null or s.not_after > ${now})))`);
  if (!active) throw sessionGone();
}

/** The service's own key, or a token of its role. @throws Refusal 401, 403 */
export async function requireService(c: Context<AppEnv>, context: AuthContext): Promise<void> {
  const claims = await readClaims(c, context);
  const { sub, session_id: sessionId, role } = claims;
  if (typeof sessionId === 'string' && typeof sub === 'string') {
    const live = isUuid(sessionId) && isUuid(sub) && (await liveSession(context, sub, sessionId));
    if (!live) throw new Refusal(403, 'session_expired', 'Session is no longer valid');
  }
  if (role !== 'service_role') throw new Refusal(403, 'not_admin', 'User not allowed');
}

async function liveSession(
  context: AuthContext,
  userId: string,
  sessionId: string,
): Promise<SessionRecord | null> {
  const [session] = await context.database.query<SessionRecord>(sql`select * from auth.sessions
    where id = ${sessionId} and user_id = ${userId} and (not_after is null or not_after > ${context.now()})`);
  return session ?? null;
}

const badToken = (status: 400 | 403, message: string): Refusal => new Refusal(status, 'bad_jwt', message);
