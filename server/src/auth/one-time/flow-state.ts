/** The PKCE flow (RFC 7636): a challenge comes with the request, a code with the link, the verifier last. */
import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Context } from 'hono';
import type { AppEnv } from '../../app-env.ts';
import type { Config } from '../../config.ts';
import type { Transaction } from '../../database/database.ts';
import { sql } from '../../database/sql.ts';
import { Refusal } from '../../errors.ts';
import { writeAudit } from '../audit.ts';
import { callerOf, secondsFrom, type AuthContext } from '../auth-context.ts';
import { invitedBy } from './invite-token.ts';
import { readBody, type RequestBody } from '../request-body.ts';
import { openSession, tokenResponse, type AuthenticationMethod } from '../sessions/sessions.ts';
import { isBanned, userById } from '../users/user-records.ts';

export interface Challenge {
  readonly challenge: string;
  readonly method: 's256' | 'plain';
}

/** Life of a code, from its issue, and of an OAuth round trip, in seconds. */
export const codeLifetime = 300;
const triesPerCode = 5;

/** @throws Refusal 400 for half a pair or a challenge of the wrong shape */
export function checkChallenge(challenge: string, method: string, config: Config): Challenge | null {
  if (challenge === '' && method === '') return null;
  const invalid = (message: string): Refusal => new Refusal(400, 'validation_failed', message);
  if (challenge === '' || method === '') {
    throw invalid('PKCE flow requires code_challenge_method and code_challenge');
  }
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(challenge)) {
    throw invalid('code challenge has to be between 43 and 128 characters of A-Z a-z 0-9 - . _ ~');
  }
  const folded = method.toLowerCase();
  if (folded === 's256') return { challenge, method: 's256' };
  // With "plain" whoever reads the first request can use the code.
  if (folded === 'plain' && config.PROFILE === 'compat') return { challenge, method: 'plain' };
  throw invalid('code_challenge_method must be s256');
}

export const readChallenge = (body: RequestBody, config: Config): Challenge | null =>
  checkChallenge(body.text('code_challenge'), body.text('code_challenge_method'), config);

/** Stores the challenge of a mail's link; null (and nothing stored) without one. */
export async function startMailFlow(
  tx: Transaction,
  context: AuthContext,
  flow: { userId: string | null; challenge: Challenge | null; method: AuthenticationMethod; when?: boolean },
): Promise<string | null> {
  const { userId, challenge, method, when = true } = flow;
  if (!challenge) return null;
  const id = randomUUID();
  // As long as any link may live; the five minutes of the code start when the link is used.
  const expiresAt = secondsFrom(context.now(), Math.max(context.config.RECOVERY_TTL, context.config.OTP_TTL));
  await tx.query(sql`insert into auth.flow_state
      (id, user_id, code_challenge, code_challenge_method, authentication_method, expires_at, created_at)
    select ${id}::uuid, ${userId}::uuid, ${challenge.challenge}, ${challenge.method}, ${method}, ${expiresAt}, ${context.now()}
    where ${when}::boolean`);
  return when ? id : null;
}

/** Binds a flow to its person and makes the code for the browser. Null when the flow is gone. */
export async function issueCode(
  tx: Transaction,
  context: AuthContext,
  flowId: string,
  userId: string,
): Promise<string | null> {
  const code = randomUUID();
  const now = context.now();
  const [flow] = await tx.query(sql`update auth.flow_state
    set user_id = ${userId}, auth_code_hash = ${hashOf(code)}, auth_code_issued_at = ${now},
      expires_at = greatest(expires_at, ${secondsFrom(now, codeLifetime)})
    where id = ${flowId} and expires_at > ${now} and session_id is null returning id`);
  return flow ? code : null;
}

const hashOf = (code: string): Buffer => createHash('sha256').update(code).digest();

interface FlowRow {
  readonly id: string;
  readonly user_id: string;
  readonly auth_code_issued_at: Date;
  readonly code_challenge: string;
  readonly code_challenge_method: 's256' | 'plain';
  readonly failed_tries: number;
  readonly authentication_method: AuthenticationMethod;
  readonly sealed: Uint8Array | null;
  readonly session_id: string | null;
  readonly invite_token_hash: Uint8Array | null;
}

/** `POST /token?grant_type=pkce` (auth contract 4.3). */
export async function pkceGrant(c: Context<AppEnv>, context: AuthContext): Promise<Response> {
  const caller = callerOf(c);
  await context.limits.count('token', caller.address);
  const body = await readBody(c);
  const code = body.text('auth_code');
  const verifier = body.text('code_verifier');
  if (code === '' || verifier === '') {
    throw new Refusal(
      400,
      'validation_failed',
      'invalid request: both auth code and code verifier should be non-empty',
    );
  }
  const outcome = await context.database.transaction(async (tx) => {
    const [flow] = await tx.query<FlowRow>(sql`select * from auth.flow_state
      where auth_code_hash = ${hashOf(code)} and user_id is not null and code_challenge is not null for update`);
    const refusal = flow ? await refusalOf(tx, context, flow, verifier) : notFound();
    if (refusal || !flow) return refusal ?? notFound();
    const user = await userById(tx, flow.user_id);
    if (!user) return notFound();
    if (isBanned(user, context.now())) return new Refusal(403, 'user_banned', 'User is banned');
    const invited = flow.invite_token_hash && (await invitedBy(tx, context, flow.invite_token_hash));
    if (flow.invite_token_hash && !invited) return notFound();
    const tag = invited?.tag ?? null;
    const opened = await openSession(tx, context, { user, method: flow.authentication_method, caller, tag });
    // The row stays, so that a second use of the code can end the session it gave.
    await tx.query(
      sql`update auth.flow_state set session_id = ${opened.session.id}, sealed = null where id = ${flow.id}`,
    );
    await writeAudit(tx, {
      action: 'login',
      actor: user,
      caller,
      traits: { provider: flow.authentication_method },
    });
    return { opened, providerTokens: readProviderTokens(context, flow) };
  });
  if (outcome instanceof Refusal) throw outcome;
  return c.json(await tokenResponse(context, outcome.opened, outcome.providerTokens));
}

const notFound = (): Refusal =>
  new Refusal(404, 'flow_state_not_found', 'invalid flow state, no valid flow state found');

/** Null when the verifier fits a fresh code. Returned, not thrown, where something must be kept. */
async function refusalOf(
  tx: Transaction,
  context: AuthContext,
  flow: FlowRow,
  verifier: string,
): Promise<Refusal | null> {
  if (flow.session_id) {
    // Somebody else holds the code too: neither keeps what it opened.
    await tx.query(sql`delete from auth.sessions where id = ${flow.session_id}`);
    await tx.query(sql`delete from auth.flow_state where id = ${flow.id}`);
    return notFound();
  }
  if (secondsFrom(flow.auth_code_issued_at, codeLifetime) <= context.now()) {
    return new Refusal(422, 'flow_state_expired', 'invalid flow state, flow state has expired');
  }
  const shown =
    flow.code_challenge_method === 'plain'
      ? verifier
      : createHash('sha256').update(verifier).digest('base64url');
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  if (timingSafeEqual(digest(shown), digest(flow.code_challenge))) return null;
  if (flow.failed_tries + 1 >= triesPerCode)
    await tx.query(sql`delete from auth.flow_state where id = ${flow.id}`);
  else await tx.query(sql`update auth.flow_state set failed_tries = failed_tries + 1 where id = ${flow.id}`);
  return new Refusal(
    400,
    'bad_code_verifier',
    'code challenge does not match previously saved code verifier',
  );
}

function readProviderTokens(context: AuthContext, flow: FlowRow): Record<string, unknown> {
  if (!flow.sealed) return {};
  const text = Buffer.from(context.keys.unseal(flow.sealed, `flow:${flow.id}`)).toString();
  const { provider_token, provider_refresh_token } = JSON.parse(text) as Record<string, string | undefined>;
  return {
    ...(provider_token ? { provider_token } : {}),
    ...(provider_refresh_token ? { provider_refresh_token } : {}),
  };
}
