/** `GET|POST /callback` (auth contract 5.2): the provider sends the browser back. */
import * as client from 'openid-client';
import { sql } from '@lanternrock/postgres';
import { ApiError } from '../../errors.ts';
import { clientInfo, type AuthContext } from '../auth-context.ts';
import { endpoint } from '../endpoint.ts';
import { isUuid } from '../uuid.ts';
import { redirectWithError } from '../one-time-tokens/redirect-params.ts';
import { callbackUrl, readSecrets } from './authorize.ts';
import { completeFlow, type Flow, type ProviderTokens } from './complete-flow.ts';
import { askToLink } from './confirm-linking.ts';
import { landBrowser, ProviderError } from './land-browser.ts';
import { fetchProfile, toProfile, type Profile } from './profile.ts';
import { hasStateCookie } from './state-cookie.ts';

/** Of a POST; nothing else of it is used. */
const forwarded = ['state', 'code', 'error', 'error_description', 'iss'];
/** Node accepts a request head of 32 kB. Codes of large providers have up to 2 kB. */
const maxQueryLength = 8192;

export const oauthCallback = endpoint({ guard: 'anyone' }, async ({ c, context }) => {
  const { config } = context;
  c.header('Referrer-Policy', 'no-referrer');
  c.header('Cache-Control', 'no-store');
  const parameters = new URL(c.req.url).searchParams;
  const state = parameters.get('state') ?? '';
  // Before any SQL, and without using up the flow of the browser that began it.
  const flow = hasStateCookie(c, config, state) ? await takeFlow(context, state) : null;
  if (!flow) {
    const refusal = new ApiError(400, 'bad_oauth_state', 'OAuth callback with invalid state');
    return c.redirect(redirectWithError(new URL(config.SITE_URL), refusal, true), 303);
  }
  return landBrowser(c, context, flow, async () => {
    const { profile, tokens } = await exchange(context, flow, parameters);
    const signIn = { provider: flow.provider, profile, caller: clientInfo(c) };
    if (flow.linking_target_id && !flow.invite_token_hash)
      return askToLink(c, context, { flow, userId: flow.linking_target_id, signIn, tokens });
    return completeFlow(context, flow, { signIn, tokens });
  });
});

/**
 * A provider's form is a cross-site POST, which browsers send without Lax cookies. They send them with the GET that
 * follows a redirect, so the parameters go through the URL, as with the response mode `query`.
 */
export const callbackForm = endpoint({ guard: 'anyone', body: 'form' }, async ({ c, context, body }) => {
  const url = new URL(callbackUrl(context));
  for (const name of forwarded) {
    const value = body.get(name);
    if (value !== null) url.searchParams.set(name, value);
  }
  if (url.search.length > maxQueryLength) url.search = '';
  c.header('Referrer-Policy', 'no-referrer');
  c.header('Cache-Control', 'no-store');
  return c.redirect(url.href, 303);
});

/** A state is good once and for five minutes, while the provider's response is awaited. */
async function takeFlow(context: AuthContext, state: string): Promise<Flow | null> {
  if (!isUuid(state)) return null;
  return context.database.transaction(async (tx) => {
    const [flow] =
      await tx.query<Flow>(sql`select * from auth.flow_state where id = ${state} and sealed is not null
      and browser_token_hash is null and provider is not null and user_id is null and expires_at > ${context.now()} for update`);
    if (flow) await tx.query(sql`update auth.flow_state set sealed = null where id = ${flow.id}`);
    return flow ?? null;
  });
}

async function exchange(
  context: AuthContext,
  flow: Flow,
  parameters: URLSearchParams,
): Promise<{ profile: Profile; tokens: ProviderTokens }> {
  const provider = context.providers.find(flow.provider);
  if (!provider)
    throw new ApiError(400, 'validation_failed', 'Unsupported provider: provider is not enabled');
  const error = parameters.get('error') ?? '';
  if (error !== '') {
    const details = new ProviderError(error.slice(0, 100));
    const description = parameters.get('error_description') ?? error;
    throw new ApiError(403, 'bad_oauth_callback', description.slice(0, 500), { details });
  }
  const secrets = readSecrets(context, flow);
  const openid = provider.settings.issuer !== undefined;
  const current = new URL(callbackUrl(context));
  current.search = parameters.toString();
  try {
    const configuration = await provider.configuration();
    const answer = await client.authorizationCodeGrant(configuration, current, {
      pkceCodeVerifier: secrets.verifier,
      expectedState: flow.id,
      ...(openid && !provider.settings.skip_nonce_check ? { expectedNonce: secrets.nonce } : {}),
      idTokenExpected: openid,
    });
    const claims = answer.claims();
    let profile =
      openid && claims
        ? toProfile(claims, provider)
        : await fetchProfile(configuration, provider, answer.access_token);
    // Some providers keep the address out of the id_token.
    if (profile && !profile.email && claims && configuration.serverMetadata().userinfo_endpoint) {
      profile = toProfile(
        { ...claims, ...(await client.fetchUserInfo(configuration, answer.access_token, claims.sub)) },
        provider,
      );
    }
    if (!profile) throw new Error('The provider told no subject');
    const tokens = {
      provider_token: answer.access_token,
      ...(answer.refresh_token ? { provider_refresh_token: answer.refresh_token } : {}),
    };
    return { profile, tokens };
  } catch (error) {
    throw new ApiError(400, 'bad_oauth_callback', 'Unable to exchange external code', { cause: error });
  }
}
