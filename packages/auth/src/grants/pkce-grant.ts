/** `POST /token?grant_type=pkce`: exchanges an authorization code and its verifier for a session. */
import { createHash } from 'node:crypto';
import { type Transaction, sql } from '@lanternrock/postgres';
import { addSeconds } from '@lanternrock/postgres/clock';
import { AuthError, userBannedError } from '../auth-error.ts';
import { constantTimeEqual } from '../keys/api-keys.ts';
import { writeAuditEntry } from '../audit.ts';
import type { AuthContext } from '../auth-context.ts';
import { endpoint } from '../endpoint/endpoint.ts';
import { decryptFlowData } from '../one-time-tokens/flow-data.ts';
import {
  authCodeTtlSeconds,
  flowExpiredError,
  flowNotFoundError,
  hashAuthCode,
} from '../one-time-tokens/flow-state.ts';
import { findInviteTarget } from '../one-time-tokens/invite-target.ts';
import { recoveryLink, buildTokenResponse, type AuthenticationMethod } from '../sessions/sessions.ts';
import { createSession, revokeSessionById } from '../sessions/session-writes.ts';
import { isBanned, findUserById } from '../users/user-records.ts';

/** Failed attempts after which a code is deleted. */
const maxAttemptsPerCode = 5;

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

export const pkceGrant = endpoint(
  { guard: 'anyone', limit: 'token', body: 'required' },
  async ({ c, context, client, body }) => {
    const code = body.getString('auth_code');
    const verifier = body.getString('code_verifier');
    if (code === '' || verifier === '') {
      throw new AuthError(
        400,
        'validation_failed',
        'invalid request: both auth code and code verifier should be non-empty',
      );
    }
    const outcome = await context.database.transaction(async (tx) => {
      // Locks the user first, then the flow, in the order of `removeSignInMethods`.
      await tx.query(sql`select from auth.users u where u.id in (
      select f.user_id from auth.flow_state f where f.auth_code_hash = ${hashAuthCode(code)}) for no key update`);
      const [flow] = await tx.query<FlowRow>(sql`select * from auth.flow_state
      where auth_code_hash = ${hashAuthCode(code)} and user_id is not null and code_challenge is not null for update`);
      const flowError = flow ? await checkFlow(tx, context, flow, verifier) : flowNotFoundError();
      if (flowError || !flow) return flowError ?? flowNotFoundError();
      const user = await findUserById(tx, flow.user_id);
      if (!user) return flowNotFoundError();
      if (isBanned(user, await context.now(tx))) return userBannedError();
      const invited = flow.invite_token_hash && (await findInviteTarget(tx, context, flow.invite_token_hash));
      if (flow.invite_token_hash && !invited) return flowNotFoundError();
      const recovery = flow.authentication_method === 'recovery' ? recoveryLink : null;
      const activeSession = await createSession(tx, context, {
        user,
        method: flow.authentication_method,
        client,
        fromLink: invited?.reference ?? recovery,
      });
      // The row is kept, so that a second use of the code can revoke this session.
      await tx.query(
        sql`update auth.flow_state set session_id = ${activeSession.session.id}, sealed = null where id = ${flow.id}`,
      );
      await writeAuditEntry(tx, {
        action: 'login',
        actor: user,
        client,
        traits: { provider: flow.authentication_method },
      });
      return { activeSession, providerTokens: readProviderTokens(context, flow) };
    });
    if (outcome instanceof AuthError) throw outcome;
    return c.json(await buildTokenResponse(context, outcome.activeSession, outcome.providerTokens));
  },
);

/**
 * Returns null if the verifier matches a valid code, otherwise an error as a value: a failed attempt must be counted.
 */
async function checkFlow(
  tx: Transaction,
  context: AuthContext,
  flow: FlowRow,
  verifier: string,
): Promise<AuthError | null> {
  if (flow.session_id) {
    // The code has leaked, so its session is revoked.
    await revokeSessionById(tx, flow.user_id, flow.session_id);
    await tx.query(sql`delete from auth.flow_state where id = ${flow.id}`);
    return flowNotFoundError();
  }
  if (addSeconds(flow.auth_code_issued_at, authCodeTtlSeconds) <= (await context.now(tx))) {
    return flowExpiredError();
  }
  const computedChallenge =
    flow.code_challenge_method === 'plain'
      ? verifier
      : createHash('sha256').update(verifier).digest('base64url');
  if (constantTimeEqual(computedChallenge, flow.code_challenge)) return null;
  if (flow.failed_tries + 1 >= maxAttemptsPerCode)
    await tx.query(sql`delete from auth.flow_state where id = ${flow.id}`);
  else await tx.query(sql`update auth.flow_state set failed_tries = failed_tries + 1 where id = ${flow.id}`);
  return new AuthError(
    400,
    'bad_code_verifier',
    'code challenge does not match previously saved code verifier',
  );
}

function readProviderTokens(context: AuthContext, flow: FlowRow): Record<string, unknown> {
  const { id, sealed } = flow;
  if (!sealed) return {};
  const { provider_token, provider_refresh_token } = decryptFlowData(context.keys, { id, sealed }) as Record<
    string,
    string | undefined
  >;
  return {
    ...(provider_token ? { provider_token } : {}),
    ...(provider_refresh_token ? { provider_refresh_token } : {}),
  };
}
