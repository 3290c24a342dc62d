/** Completes an OAuth flow with a session, or with an authorization code for the client's PKCE exchange. */
import { type Transaction, sql } from '@lanternrock/postgres';
import { writeAuditEntry } from '../audit.ts';
import type { AuthContext } from '../auth-context.ts';
import type { InviteTarget } from '../ports.ts';
import { encryptFlowData } from '../one-time-tokens/flow-data.ts';
import { flowExpiredError, invalidStateError, issueAuthCode } from '../one-time-tokens/flow-state.ts';
import { requireInviteTarget } from '../one-time-tokens/invite-target.ts';
import { addCode, addSession } from '../one-time-tokens/redirect-params.ts';
import { buildTokenResponse, type ActiveSession } from '../sessions/sessions.ts';
import { createSession } from '../sessions/session-writes.ts';
import { lockUser, type UserRecord } from '../users/user-records.ts';
import { resolveUser, resolveInvitedUser, linkIdentity, type OAuthSignIn } from './account-linking.ts';

/** A row of `auth.flow_state`. */
export interface OAuthFlow {
  readonly id: string;
  readonly provider: string;
  readonly redirect_to: string;
  readonly code_challenge: string | null;
  readonly linking_target_id: string | null;
  readonly invite_token_hash: Uint8Array | null;
  readonly sealed: Uint8Array;
}

export type ProviderTokens = Readonly<Record<string, string>>;

export interface FlowResult {
  readonly signIn: OAuthSignIn;
  readonly tokens: ProviderTokens;
}

type CompletedFlow = ActiveSession | { readonly code: string };

/**
 * Resolves the user and creates a session or a code.
 *
 * @returns the URL of the client, with the session or the code
 * @throws AuthError 400 `bad_oauth_state` for a flow that was deleted concurrently
 * @throws AuthError 422 `flow_state_expired` if no code can be issued
 * @throws AuthError of `requireInviteTarget`, `resolveInvitedUser`, `linkIdentity` and `resolveUser`
 */
export async function completeFlow(
  context: AuthContext,
  flow: OAuthFlow,
  { signIn, tokens }: FlowResult,
): Promise<string> {
  const redirect = new URL(flow.redirect_to);
  const { client } = signIn;
  const completed = await context.database.transaction(async (tx): Promise<CompletedFlow> => {
    const invited =
      flow.invite_token_hash && (await requireInviteTarget(tx, context, flow.invite_token_hash));
    await lockFlow(tx, flow, invited?.userId ?? flow.linking_target_id);
    const user = await resolveFlowUser(tx, context, flow, signIn, invited);
    await writeAuditEntry(tx, { action: 'login', actor: user, client, traits: { provider: flow.provider } });
    if (flow.code_challenge === null) {
      await tx.query(sql`delete from auth.flow_state where id = ${flow.id}`);
      return createSession(tx, context, {
        user,
        method: 'oauth',
        client,
        fromLink: invited?.reference ?? null,
      });
    }
    const sealed = encryptFlowData(context.keys, flow.id, tokens);
    await tx.query(sql`update auth.flow_state set sealed = ${sealed} where id = ${flow.id}`);
    const code = await issueAuthCode(tx, context, flow.id, user.id);
    if (code === null) throw flowExpiredError();
    return { code };
  });
  context.mailer.wake();
  if ('code' in completed) return addCode(redirect, completed.code);
  return addSession(redirect, await buildTokenResponse(context, completed), tokens);
}

/**
 * Locks the user and then the flow, in the order of `removeSignInMethods`, which deletes the flows of its user.
 *
 * @param userId the user who gets an identity; null for a sign-in
 * @throws AuthError 400 `bad_oauth_state` for a flow that was deleted concurrently
 */
async function lockFlow(tx: Transaction, { id }: OAuthFlow, userId: string | null): Promise<void> {
  if (userId !== null) await lockUser(tx, userId);
  const [locked] = await tx.query(sql`select id from auth.flow_state where id = ${id} for update`);
  if (!locked) throw invalidStateError();
}

function resolveFlowUser(
  tx: Transaction,
  context: AuthContext,
  flow: OAuthFlow,
  signIn: OAuthSignIn,
  invited: InviteTarget | null,
): Promise<UserRecord> {
  if (invited) return resolveInvitedUser(tx, context, invited, signIn);
  if (flow.linking_target_id) return linkIdentity(tx, context, flow.linking_target_id, signIn);
  return resolveUser(tx, context, signIn);
}
