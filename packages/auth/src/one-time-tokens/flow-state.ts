/** PKCE (RFC 7636): stores the challenge of a request and issues the authorization code for it. */
import { createHash, randomUUID } from 'node:crypto';
import { type Transaction, sql } from '@lanternrock/postgres';
import { addSeconds } from '@lanternrock/postgres/clock';
import type { AuthSettings } from '../settings.ts';
import { AuthError } from '../auth-error.ts';
import type { AuthContext } from '../auth-context.ts';
import type { RequestBody } from '../http/request-body.ts';
import type { AuthenticationMethod } from '../sessions/sessions.ts';

export interface PkceChallenge {
  readonly challenge: string;
  readonly method: 's256' | 'plain';
}

/** TTL of an authorization code after its issue, and of an OAuth flow. */
export const authCodeTtlSeconds = 300;

/** @throws AuthError 400 for one parameter without the other, or an invalid challenge */
export function parsePkceChallenge(
  challenge: string,
  method: string,
  config: AuthSettings,
): PkceChallenge | null {
  if (challenge === '' && method === '') return null;
  const invalid = (message: string): AuthError => new AuthError(400, 'validation_failed', message);
  if (challenge === '' || method === '') {
    throw invalid('PKCE flow requires code_challenge_method and code_challenge');
  }
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(challenge)) {
    throw invalid('code challenge has to be between 43 and 128 characters of A-Z a-z 0-9 - . _ ~');
  }
  const lowerCaseMethod = method.toLowerCase();
  if (lowerCaseMethod === 's256') return { challenge, method: 's256' };
  // With "plain", an attacker who reads the first request can use the code.
  if (lowerCaseMethod === 'plain' && config.PROFILE === 'compat') return { challenge, method: 'plain' };
  throw invalid('code_challenge_method must be s256');
}

export const readPkceChallenge = (body: RequestBody, config: AuthSettings): PkceChallenge | null =>
  parsePkceChallenge(body.getString('code_challenge'), body.getString('code_challenge_method'), config);

/**
 * Stores the challenge for an email link.
 *
 * @returns the ID of the flow, null if nothing was stored
 */
export async function createEmailFlow(
  tx: Transaction,
  context: AuthContext,
  flow: {
    userId: string | null;
    challenge: PkceChallenge | null;
    method: AuthenticationMethod;
    when?: boolean;
  },
): Promise<string | null> {
  const { userId, challenge, method, when = true } = flow;
  if (!challenge) return null;
  const id = randomUUID();
  // At least the TTL of any link. The TTL of the code starts when the link is opened.
  const expiresAt = addSeconds(
    await context.now(tx),
    Math.max(context.config.RECOVERY_TTL, context.config.OTP_TTL),
  );
  await tx.query(sql`insert into auth.flow_state
      (id, user_id, code_challenge, code_challenge_method, authentication_method, expires_at, created_at)
    select ${id}::uuid, ${userId}::uuid, ${challenge.challenge}, ${challenge.method}, ${method}, ${expiresAt}, ${await context.now(tx)}
    where ${when}::boolean`);
  return when ? id : null;
}

/**
 * Binds a flow to its user and issues the authorization code.
 *
 * @returns null if the flow has expired
 */
export async function issueAuthCode(
  tx: Transaction,
  context: AuthContext,
  flowId: string,
  userId: string,
): Promise<string | null> {
  const code = randomUUID();
  const now = await context.now(tx);
  const [flow] = await tx.query(sql`update auth.flow_state
    set user_id = ${userId}, auth_code_hash = ${hashAuthCode(code)}, auth_code_issued_at = ${now},
      expires_at = greatest(expires_at, ${addSeconds(now, authCodeTtlSeconds)})
    where id = ${flowId} and expires_at > ${now} and session_id is null returning id`);
  return flow ? code : null;
}

/** A second use, another browser, or a flow that was deleted. */
export const invalidStateError = (): AuthError =>
  new AuthError(400, 'bad_oauth_state', 'OAuth callback with invalid state');

export const flowNotFoundError = (): AuthError =>
  new AuthError(404, 'flow_state_not_found', 'invalid flow state, no valid flow state found');

export const flowExpiredError = (): AuthError =>
  new AuthError(422, 'flow_state_expired', 'invalid flow state, flow state has expired');

/** Returns the stored form of a code. */
export const hashAuthCode = (code: string): Buffer => createHash('sha256').update(code).digest();
