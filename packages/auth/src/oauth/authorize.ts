/** `GET /authorize` and `GET /user/identities/authorize`: start an OAuth flow. */
import { randomUUID } from 'node:crypto';
import type { Context } from 'hono';
import * as oidc from 'openid-client';
import { type Transaction, sql } from '@lanternrock/postgres';
import { addSeconds } from '@lanternrock/postgres/clock';
import { AuthError } from '../auth-error.ts';
import type { AuthContext } from '../auth-context.ts';
import type { AuthEnv } from '../client-info.ts';
import { endpoint } from '../endpoint/endpoint.ts';
import { decryptFlowData, encryptFlowData } from '../one-time-tokens/flow-data.ts';
import { requireInviteTarget } from '../one-time-tokens/invite-target.ts';
import { parsePkceChallenge, authCodeTtlSeconds, type PkceChallenge } from '../one-time-tokens/flow-state.ts';
import { hashLinkToken } from '../one-time-tokens/one-time-tokens.ts';
import { addError } from '../one-time-tokens/redirect-params.ts';
import { resolveRedirect } from '../one-time-tokens/redirect-urls.ts';
import { createBrowserToken, hashBrowserToken } from './browser-token.ts';
import type { OAuthProvider } from '../oauth-providers.ts';
import { setStateCookie } from './state-cookie.ts';

/** Parameters of the protocol, which are never copied from the client. */
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

/** In characters, of the query of a client and of a callback. Codes of large providers have up to 2 kB. */
export const maxQueryLength = 8192;

export const toCallbackUrl = (context: AuthContext): string =>
  new URL('/auth/v1/callback', context.config.SITE_URL).href;

/** Secrets of a flow and the URL of the provider; stored encrypted. */
export interface FlowSecrets {
  readonly verifier: string;
  readonly nonce: string;
  readonly url: string;
}

export const authorize = endpoint({ guard: 'anyone', limit: 'token' }, async ({ c, context }) => {
  // The callback is on SITE_URL and does not get a cookie of another host.
  const direct = new URL(c.req.url).hostname === new URL(context.config.SITE_URL).hostname;
  const { state, url } = await startFlow(c, context, { linkingTarget: null, direct });
  if (direct) setStateCookie(c, context.config, state);
  return c.redirect(url, 302);
});

/** `GET /authorize/continue`: sets the state cookie in a navigation, once, and redirects to the provider. */
export const continueFlow = endpoint({ guard: 'anyone', limit: 'token' }, async ({ c, context }) => {
  const tokenHash = hashBrowserToken('continue', c.req.query('token') ?? '');
  const now = await context.now(context.database);
  const [flow] = await context.database.query<{ id: string; sealed: Uint8Array }>(sql`update auth.flow_state
    set browser_token_hash = null where browser_token_hash = ${tokenHash} and expires_at > ${now}
    returning id, sealed`);
  c.header('Cache-Control', 'no-store');
  if (!flow) {
    const error = new AuthError(400, 'bad_oauth_state', 'This link has already been used or has expired');
    return c.redirect(addError(new URL(context.config.SITE_URL), error, true), 303);
  }
  setStateCookie(c, context.config, flow.id);
  return c.redirect(readSecrets(context, flow).url, 302);
});

export const readSecrets = (
  { keys }: Pick<AuthContext, 'keys'>,
  flow: { readonly id: string; readonly sealed: Uint8Array },
): FlowSecrets => decryptFlowData(keys, flow) as FlowSecrets;

/** Returns the error if linking is disabled. */
export const requireLinking = ({ context }: { readonly context: AuthContext }): AuthError | null =>
  context.config.MANUAL_LINKING
    ? null
    : new AuthError(404, 'manual_linking_disabled', 'Manual linking is disabled');

export const authorizeIdentityLink = endpoint(
  { guard: 'user', limit: 'linking', check: requireLinking, fresh: true },
  async ({ c, context, user }) => {
    // Clients call this by fetch, also from other origins and native apps, where a cookie would be lost.
    const { url } = await startFlow(c, context, { linkingTarget: user.id, direct: false });
    return c.req.query('skip_http_redirect') === 'true' ? c.json({ url }) : c.redirect(url, 302);
  },
);

/**
 * Stores a flow for the response of the provider.
 *
 * @param direct the calling endpoint sets the state cookie
 * @returns `url`: with `direct` the provider's, otherwise a one-time URL of this service that sets the cookie first
 */
async function startFlow(
  c: Context<AuthEnv>,
  context: AuthContext,
  { linkingTarget, direct }: { readonly linkingTarget: string | null; readonly direct: boolean },
): Promise<{ readonly state: string; readonly url: string }> {
  const { config, database } = context;
  const queryLength = new URL(c.req.url).search.length;
  if (queryLength > maxQueryLength)
    throw new AuthError(400, 'validation_failed', `The query is longer than ${maxQueryLength} characters`);
  const provider = requireProvider(context, c.req.query('provider') ?? '');
  const challenge = parsePkceChallenge(
    c.req.query('code_challenge') ?? '',
    c.req.query('code_challenge_method') ?? '',
    config,
  );
  const redirect = resolveRedirect(c.req.query('redirect_to'), c.req.header('Referer'), config);
  const inviteToken = c.req.query('invite_token') ?? '';
  const inviteHash = inviteToken === '' ? null : hashLinkToken(inviteToken);
  if (inviteHash) await requireInviteTarget(database, context, inviteHash);
  const configuration = await loadConfiguration(context, provider);
  const state = randomUUID();
  const secrets = { verifier: oidc.randomPKCECodeVerifier(), nonce: oidc.randomNonce() };
  const parameters = await providerParameters(context, provider, { state, ...secrets }, c.req.query());
  const providerUrl = oidc.buildAuthorizationUrl(configuration, parameters).href;
  const token = createBrowserToken();
  const flow: NewFlow = {
    id: state,
    provider: provider.name,
    challenge,
    redirect,
    secrets: { ...secrets, url: providerUrl },
    linkingTarget,
    inviteHash,
    browserTokenHash: direct ? null : hashBrowserToken('continue', token),
  };
  await database.transaction((tx) => storeFlow(tx, context, flow));
  const continueUrl = new URL('/auth/v1/authorize/continue', config.SITE_URL);
  continueUrl.searchParams.set('token', token);
  return { state, url: direct ? providerUrl : continueUrl.href };
}

/** @throws AuthError 400 */
function requireProvider({ providers }: AuthContext, name: string): OAuthProvider {
  const provider = providers.find(name);
  if (provider) return provider;
  const reason = /^[a-z_]+$/.test(name)
    ? 'provider is not enabled'
    : `Provider ${name.slice(0, 50)} could not be found`;
  throw new AuthError(400, 'validation_failed', `Unsupported provider: ${reason}`);
}

/** @throws AuthError 503 */
function loadConfiguration({ log }: AuthContext, provider: OAuthProvider): Promise<oidc.Configuration> {
  return provider.configuration().catch((error: unknown) => {
    log.warn({ err: error, provider: provider.name }, 'sign-in provider unavailable');
    throw new AuthError(503, 'unexpected_failure', 'The sign-in provider is unavailable, please retry', {
      headers: { 'Retry-After': '10' },
    });
  });
}

interface NewFlow {
  readonly id: string;
  readonly provider: string;
  readonly challenge: PkceChallenge | null;
  readonly redirect: URL;
  readonly secrets: FlowSecrets;
  /** User who links an identity; null for a sign-in. */
  readonly linkingTarget: string | null;
  readonly inviteHash: Uint8Array | null;
  readonly browserTokenHash: Uint8Array | null;
}

async function storeFlow(tx: Transaction, { keys, now: getNow }: AuthContext, flow: NewFlow): Promise<void> {
  const { id, challenge, secrets } = flow;
  const now = await getNow(tx);
  // A used flow is kept for a day, so that a second use of its code can revoke the session.
  await tx.query(sql`delete from auth.flow_state where expires_at < ${addSeconds(now, -3600)}
    and (session_id is null or expires_at < ${addSeconds(now, -86_400)})`);
  await tx.query(sql`insert into auth.flow_state
      (id, code_challenge, code_challenge_method, authentication_method, provider, redirect_to, sealed, linking_target_id,
        invite_token_hash, browser_token_hash, expires_at, created_at)
    values (${id}, ${challenge?.challenge ?? null}, ${challenge?.method ?? null}, 'oauth', ${flow.provider},
      ${flow.redirect.href}, ${encryptFlowData(keys, id, secrets)}, ${flow.linkingTarget},
      ${flow.inviteHash}, ${flow.browserTokenHash}, ${addSeconds(now, authCodeTtlSeconds)}, ${now})`);
}

/** Merges the parameters of the client and those of the protocol. The client cannot override the latter. */
async function providerParameters(
  context: AuthContext,
  { settings }: OAuthProvider,
  { state, verifier, nonce }: { readonly state: string; readonly verifier: string; readonly nonce: string },
  query: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const openid = settings.issuer !== undefined;
  const scopes = `${settings.scopes ?? (openid ? 'openid email profile' : '')} ${query['scopes'] ?? ''}`;
  return {
    ...Object.fromEntries(Object.entries(query).filter(([key]) => !reserved.has(key))),
    redirect_uri: toCallbackUrl(context),
    scope: [...new Set(scopes.split(/\s+/).filter(Boolean))].join(' '),
    state,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(openid ? { nonce } : {}),
    ...(settings.response_mode ? { response_mode: settings.response_mode } : {}),
  };
}
