/** `GET|POST /callback` (auth contract 5.2): the provider sends the browser back. */
import type { Context } from 'hono';
import * as client from 'openid-client';
import type { AppEnv } from '../../app-env.ts';
import type { Transaction } from '../../database/database.ts';
import { sql } from '../../database/sql.ts';
import { Refusal } from '../../errors.ts';
import { asRefusal } from '../answer-error.ts';
import { writeAudit } from '../audit.ts';
import { callerOf, type AuthContext } from '../auth-context.ts';
import { endpoint } from '../endpoint.ts';
import { issueCode } from '../one-time/flow-state.ts';
import { openSession, tokenResponse, type OpenSession } from '../sessions/sessions.ts';
import type { UserRecord } from '../users/user-records.ts';
import { isUuid } from '../uuid.ts';
import { withCode, withError, withFragment } from '../one-time/landing.ts';
import { accountFor, invitedAccount, linkTo, type SignIn } from './account.ts';
import { requireInvited, type Invited } from '../one-time/invite-token.ts';
import { callbackAddress, type FlowSecrets } from './authorize.ts';
import { fetchProfile, profileFrom, type Profile } from './profile.ts';
import type { OAuthProvider } from './providers.ts';

interface Flow {
  readonly id: string;
  readonly provider: string;
  readonly redirect_to: string;
  readonly code_challenge: string | null;
  readonly linking_target_id: string | null;
  readonly invite_token_hash: Uint8Array | null;
  readonly sealed: Uint8Array;
}

export const callback = endpoint({ guard: 'anyone' }, ({ c, context }) =>
  land(c, context, new URL(c.req.url).searchParams),
);

/** For providers that answer by `response_mode=form_post`. */
export const callbackForm = endpoint({ guard: 'anyone', body: 'form' }, ({ c, context, body }) =>
  land(c, context, body),
);

async function land(
  c: Context<AppEnv>,
  context: AuthContext,
  parameters: URLSearchParams,
): Promise<Response> {
  c.header('Referrer-Policy', 'no-referrer');
  c.header('Cache-Control', 'no-store');
  const flow = await takeFlow(context, parameters.get('state') ?? '');
  if (!flow) {
    const refusal = new Refusal(400, 'bad_oauth_state', 'OAuth callback with invalid state');
    return c.redirect(withError(new URL(context.config.SITE_URL), refusal, true), 303);
  }
  const redirect = new URL(flow.redirect_to);
  try {
    return c.redirect(await finish(c, context, flow, parameters, redirect), 302);
  } catch (error) {
    const refusal = asRefusal(error);
    if (refusal.status >= 500)
      context.log.error({ err: error, provider: flow.provider }, 'signing in by a provider failed');
    return c.redirect(withError(redirect, refusal, true, errorName(refusal)), 302);
  }
}

const denied = ['signup_disabled', 'user_banned', 'provider_email_needs_verification'];

/** What a provider said itself goes through; other refusals of ours are errors of this server. */
function errorName({ code, status, details }: Refusal): string | undefined {
  if (details instanceof ProviderError) return details.error;
  if (denied.includes(code)) return 'access_denied';
  return [400, 401, 403, 500, 503].includes(status) ? undefined : 'server_error';
}

/** The `error` with which a provider sent the browser back (RFC 6749, section 4.1.2.1). */
class ProviderError {
  readonly error: string;

  constructor(error: string) {
    this.error = error;
  }
}

/** A state is good once and for five minutes. The sealed secrets leave the row with it. */
async function takeFlow(context: AuthContext, state: string): Promise<Flow | null> {
  if (!isUuid(state)) return null;
  return context.database.transaction(async (tx) => {
    const [flow] =
      await tx.query<Flow>(sql`select * from auth.flow_state where id = ${state} and sealed is not null
      and provider is not null and user_id is null and expires_at > ${context.now()} for update`);
    if (flow) await tx.query(sql`update auth.flow_state set sealed = null where id = ${flow.id}`);
    return flow ?? null;
  });
}

type Finished = OpenSession | { readonly code: string };

async function finish(
  c: Context<AppEnv>,
  context: AuthContext,
  flow: Flow,
  parameters: URLSearchParams,
  redirect: URL,
): Promise<string> {
  const provider = context.providers.find(flow.provider);
  if (!provider) throw new Refusal(400, 'validation_failed', 'Unsupported provider: provider is not enabled');
  const error = parameters.get('error') ?? '';
  if (error !== '') {
    const details = new ProviderError(error.slice(0, 100));
    const description = parameters.get('error_description') ?? error;
    throw new Refusal(403, 'bad_oauth_callback', description.slice(0, 500), { details });
  }
  const { profile, tokens } = await exchange(context, provider, flow, parameters);
  const caller = callerOf(c);
  const finished = await context.database.transaction(async (tx): Promise<Finished | Refusal> => {
    const signIn = { provider: flow.provider, profile, caller };
    const invited = flow.invite_token_hash && (await requireInvited(tx, context, flow.invite_token_hash));
    const user = await personFor(tx, context, flow, signIn, invited);
    await writeAudit(tx, { action: 'login', actor: user, caller, traits: { provider: flow.provider } });
    if (flow.code_challenge === null) {
      await tx.query(sql`delete from auth.flow_state where id = ${flow.id}`);
      return openSession(tx, context, { user, method: 'oauth', caller, tag: invited?.tag ?? null });
    }
    const sealed = context.keys.seal(Buffer.from(JSON.stringify(tokens)), `flow:${flow.id}`);
    await tx.query(sql`update auth.flow_state set sealed = ${sealed} where id = ${flow.id}`);
    const code = await issueCode(tx, context, flow.id, user.id);
    return code === null
      ? new Refusal(422, 'flow_state_expired', 'invalid flow state, flow state has expired')
      : { code };
  });
  if (finished instanceof Refusal) throw finished;
  context.outbox.wake();
  if ('code' in finished) return withCode(redirect, finished.code);
  const { access_token, expires_at, expires_in, refresh_token } = await tokenResponse(context, finished);
  return withFragment(redirect, {
    access_token,
    expires_at,
    expires_in,
    ...tokens,
    refresh_token,
    sb: '',
    token_type: 'bearer',
  });
}

function personFor(
  tx: Transaction,
  context: AuthContext,
  flow: Flow,
  signIn: SignIn,
  invited: Invited | null,
): Promise<UserRecord> {
  if (invited) return invitedAccount(tx, context, invited, signIn);
  if (flow.linking_target_id) return linkTo(tx, context, flow.linking_target_id, signIn);
  return accountFor(tx, context, signIn);
}

async function exchange(
  context: AuthContext,
  provider: OAuthProvider,
  flow: Flow,
  parameters: URLSearchParams,
): Promise<{ profile: Profile; tokens: Record<string, string> }> {
  const secrets = JSON.parse(
    Buffer.from(context.keys.unseal(flow.sealed, `flow:${flow.id}`)).toString(),
  ) as FlowSecrets;
  const openid = provider.settings.issuer !== undefined;
  const current = new URL(callbackAddress(context));
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
        ? profileFrom(claims, provider)
        : await fetchProfile(configuration, provider, answer.access_token);
    // Some providers keep the address out of the id_token.
    if (profile && !profile.email && claims && configuration.serverMetadata().userinfo_endpoint) {
      profile = profileFrom(
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
    throw new Refusal(400, 'bad_oauth_callback', 'Unable to exchange external code', { cause: error });
  }
}
