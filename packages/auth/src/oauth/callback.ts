/** `GET|POST /callback`: the redirect URI of OAuth providers. */
import * as oidc from 'openid-client';
import { sql } from '@lanternrock/postgres';
import { AuthError } from '../auth-error.ts';
import type { AuthContext } from '../auth-context.ts';
import { endpoint } from '../endpoint/endpoint.ts';
import { isUuid } from '@lanternrock/contract/uuid';
import { invalidStateError } from '../one-time-tokens/flow-state.ts';
import { addError } from '../one-time-tokens/redirect-params.ts';
import { toCallbackUrl, maxQueryLength, readSecrets } from './authorize.ts';
import { completeFlow, type OAuthFlow, type ProviderTokens } from './complete-flow.ts';
import { requestLinkConfirmation } from './confirm-linking.ts';
import { redirectBrowser, ProviderError } from './redirect-browser.ts';
import { fetchProfile, toProfile, type Profile } from './profile.ts';
import { hasStateCookie } from './state-cookie.ts';

/** Parameters of a POST that are forwarded; all others are dropped. */
const forwardedParameters = ['state', 'code', 'error', 'error_description', 'iss'];

export const oauthCallback = endpoint({ guard: 'anyone', limit: 'token' }, async ({ c, context, client }) => {
  const { config } = context;
  c.header('Referrer-Policy', 'no-referrer');
  c.header('Cache-Control', 'no-store');
  const parameters = new URL(c.req.url).searchParams;
  const state = parameters.get('state') ?? '';
  // Checked before any SQL, so that another browser cannot consume the flow.
  const flow = hasStateCookie(c, config, state) ? await consumeFlow(context, state) : null;
  if (!flow) {
    const error = invalidStateError();
    return c.redirect(addError(new URL(config.SITE_URL), error, true), 303);
  }
  return redirectBrowser(c, context, flow, async () => {
    const { profile, tokens } = await exchange(context, flow, parameters);
    const signIn = { provider: flow.provider, profile, client };
    if (flow.linking_target_id && !flow.invite_token_hash)
      return requestLinkConfirmation(c, context, { flow, userId: flow.linking_target_id, signIn, tokens });
    return completeFlow(context, flow, { signIn, tokens });
  });
});

/**
 * `form_post` of a provider is a cross-site POST, which browsers send without Lax cookies. They do send them with the
 * GET after a redirect, so the parameters move to the URL, as with the response mode `query`.
 */
export const callbackForm = endpoint(
  { guard: 'anyone', limit: 'token', body: 'form' },
  async ({ c, context, body }) => {
    const url = new URL(toCallbackUrl(context));
    for (const name of forwardedParameters) {
      const value = body.get(name);
      if (value !== null) url.searchParams.set(name, value);
    }
    if (url.search.length > maxQueryLength) url.search = '';
    c.header('Referrer-Policy', 'no-referrer');
    c.header('Cache-Control', 'no-store');
    return c.redirect(url.href, 303);
  },
);

/** Returns the flow and consumes its state, which is valid once and for five minutes. */
async function consumeFlow(context: AuthContext, state: string): Promise<OAuthFlow | null> {
  if (!isUuid(state)) return null;
  return context.database.transaction(async (tx) => {
    const [flow] =
      await tx.query<OAuthFlow>(sql`select * from auth.flow_state where id = ${state} and sealed is not null
      and browser_token_hash is null and provider is not null and user_id is null and expires_at > ${await context.now(tx)} for update`);
    if (flow) await tx.query(sql`update auth.flow_state set sealed = null where id = ${flow.id}`);
    return flow ?? null;
  });
}

async function exchange(
  context: AuthContext,
  flow: OAuthFlow,
  parameters: URLSearchParams,
): Promise<{ profile: Profile; tokens: ProviderTokens }> {
  const provider = context.providers.find(flow.provider);
  if (!provider)
    throw new AuthError(400, 'validation_failed', 'Unsupported provider: provider is not enabled');
  const error = parameters.get('error') ?? '';
  if (error !== '') {
    const details = new ProviderError(error.slice(0, 100));
    const description = parameters.get('error_description') ?? error;
    throw new AuthError(403, 'bad_oauth_callback', description.slice(0, 500), { details });
  }
  const secrets = readSecrets(context, flow);
  const openid = provider.settings.issuer !== undefined;
  const current = new URL(toCallbackUrl(context));
  current.search = parameters.toString();
  try {
    const configuration = await provider.configuration();
    const response = await oidc.authorizationCodeGrant(configuration, current, {
      pkceCodeVerifier: secrets.verifier,
      expectedState: flow.id,
      ...(openid && !provider.settings.skip_nonce_check ? { expectedNonce: secrets.nonce } : {}),
      idTokenExpected: openid,
    });
    const claims = response.claims();
    let profile =
      openid && claims
        ? toProfile(claims, provider)
        : await fetchProfile(configuration, provider, response.access_token);
    // Some providers omit the email address from the id_token.
    if (profile && !profile.email && claims && configuration.serverMetadata().userinfo_endpoint) {
      profile = toProfile(
        { ...claims, ...(await oidc.fetchUserInfo(configuration, response.access_token, claims.sub)) },
        provider,
      );
    }
    if (!profile) throw new Error('The provider returned no subject');
    const tokens = {
      provider_token: response.access_token,
      ...(response.refresh_token ? { provider_refresh_token: response.refresh_token } : {}),
    };
    return { profile, tokens };
  } catch (cause) {
    throw new AuthError(400, 'bad_oauth_callback', 'Unable to exchange external code', { cause });
  }
}
