/** `GET /authorize` and `GET /user/identities/authorize` (auth contract 5.1, 5.4). */
import { randomUUID } from 'node:crypto';
import type { Context } from 'hono';
import * as client from 'openid-client';
import type { AppEnv } from '../../app-env.ts';
import type { Transaction } from '../../database/database.ts';
import { sql } from '../../database/sql.ts';
import { Refusal } from '../../errors.ts';
import { secondsFrom, type AuthContext } from '../auth-context.ts';
import { endpoint } from '../endpoint.ts';
import { requireInvited } from '../one-time/invite-token.ts';
import { checkChallenge, codeLifetime, type Challenge } from '../one-time/flow-state.ts';
import { linkTokenHash } from '../one-time/one-time-tokens.ts';
import { effectiveRedirect } from '../one-time/redirects.ts';
import type { OAuthProvider } from './providers.ts';

/** Parameters that belong to the protocol and are never taken from the caller. */
const reserved = new Set([
  'provider',
  'redirect_to',
  'scopes',
  'code_challenge',
  'code_challenge_method',
  'invite_token',
  'skip_http_redirect',
  'client_id',
  'client_secret',
  'redirect_uri',
  'response_type',
  'response_mode',
  'state',
  'scope',
  'nonce',
  'request',
  'request_uri',
  'apikey',
  'access_token',
]);

export const callbackAddress = (context: AuthContext): string =>
  new URL('/auth/v1/callback', context.config.SITE_URL).href;

/** Our own secrets towards the provider, sealed in the flow's row. */
export interface FlowSecrets {
  readonly verifier: string;
  readonly nonce: string;
}

export const authorize = endpoint({ guard: 'anyone', limit: 'token' }, async ({ c, context }) => {
  return c.redirect(await startFlow(c, context, null), 302);
});

/** The error while linking is off. */
export const requireLinking = ({ context }: { readonly context: AuthContext }): Refusal | null =>
  context.config.MANUAL_LINKING
    ? null
    : new Refusal(404, 'manual_linking_disabled', 'Manual linking is disabled');

export const authorizeLinking = endpoint(
  { guard: 'user', on: requireLinking },
  async ({ c, context, user }) => {
    const url = await startFlow(c, context, user.id);
    return c.req.query('skip_http_redirect') === 'true' ? c.json({ url }) : c.redirect(url, 302);
  },
);

/** Keeps a flow for the provider's answer. @returns the provider's address */
async function startFlow(
  c: Context<AppEnv>,
  context: AuthContext,
  linkingTarget: string | null,
): Promise<string> {
  const { config, database } = context;
  const provider = requireProvider(context, c.req.query('provider') ?? '');
  const challenge = checkChallenge(
    c.req.query('code_challenge') ?? '',
    c.req.query('code_challenge_method') ?? '',
    config,
  );
  const redirect = effectiveRedirect(c.req.query('redirect_to'), c.req.header('Referer'), config);
  const inviteToken = c.req.query('invite_token') ?? '';
  const inviteHash = inviteToken === '' ? null : linkTokenHash(inviteToken);
  if (inviteHash) await requireInvited(database, context, inviteHash);
  const configuration = await reachable(context, provider);
  const flow: NewFlow = {
    id: randomUUID(),
    provider: provider.name,
    challenge,
    redirect,
    secrets: { verifier: client.randomPKCECodeVerifier(), nonce: client.randomNonce() },
    linkingTarget,
    inviteHash,
  };
  await database.transaction((tx) => keepFlow(tx, context, flow));
  const parameters = await providerParameters(context, provider, flow, c.req.query());
  return client.buildAuthorizationUrl(configuration, parameters).href;
}

/** @throws Refusal 400 */
function requireProvider({ providers }: AuthContext, name: string): OAuthProvider {
  const provider = providers.find(name);
  if (provider) return provider;
  const reason = /^[a-z_]+$/.test(name)
    ? 'provider is not enabled'
    : `Provider ${name.slice(0, 50)} could not be found`;
  throw new Refusal(400, 'validation_failed', `Unsupported provider: ${reason}`);
}

/** @throws Refusal 503 */
function reachable({ log }: AuthContext, provider: OAuthProvider): Promise<client.Configuration> {
  return provider.configuration().catch((error: unknown) => {
    log.warn({ err: error, provider: provider.name }, 'a sign-in provider does not answer');
    throw new Refusal(503, 'unexpected_failure', 'The sign-in provider does not answer, please retry', {
      headers: { 'Retry-After': '10' },
    });
  });
}

interface NewFlow {
  readonly id: string;
  readonly provider: string;
  readonly challenge: Challenge | null;
  readonly redirect: URL;
  readonly secrets: FlowSecrets;
  /** Who links a further identity; null for a sign-in. */
  readonly linkingTarget: string | null;
  readonly inviteHash: Uint8Array | null;
}

async function keepFlow(tx: Transaction, { keys, now: clock }: AuthContext, flow: NewFlow): Promise<void> {
  const { id, challenge, secrets } = flow;
  const now = clock();
  await tx.query(sql`delete from auth.flow_state where expires_at < ${secondsFrom(now, -86_400)}`);
  await tx.query(sql`insert into auth.flow_state
      (id, code_challenge, code_challenge_method, authentication_method, provider, redirect_to, sealed, linking_target_id,
        invite_token_hash, expires_at, created_at)
    values (${id}, ${challenge?.challenge ?? null}, ${challenge?.method ?? null}, 'oauth', ${flow.provider},
      ${flow.redirect.href}, ${keys.seal(Buffer.from(JSON.stringify(secrets)), `flow:${id}`)}, ${flow.linkingTarget},
      ${flow.inviteHash}, ${secondsFrom(now, codeLifetime)}, ${now})`);
}

/** The caller's own parameters, and those of the protocol, which are never the caller's. */
async function providerParameters(
  context: AuthContext,
  { settings }: OAuthProvider,
  { id, secrets }: NewFlow,
  query: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const openid = settings.issuer !== undefined;
  const scopes = `${settings.scopes ?? (openid ? 'openid email profile' : '')} ${query['scopes'] ?? ''}`;
  return {
    ...Object.fromEntries(Object.entries(query).filter(([key]) => !reserved.has(key))),
    redirect_uri: callbackAddress(context),
    scope: [...new Set(scopes.split(/\s+/).filter(Boolean))].join(' '),
    state: id,
    code_challenge: await client.calculatePKCECodeChallenge(secrets.verifier),
    code_challenge_method: 'S256',
    ...(openid ? { nonce: secrets.nonce } : {}),
  };
}
