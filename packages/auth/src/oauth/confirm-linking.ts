/**
 * Confirmation page for linking an identity. It names both accounts: an attacker can send a victim the URL of a flow
 * that would link the victim's identity to the attacker's account.
 */
import type { Context } from 'hono';
import { html } from 'hono/html';
import { sql } from '@lanternrock/postgres';
import { addSeconds } from '@lanternrock/postgres/clock';
import { AuthError } from '../auth-error.ts';
import type { AuthContext } from '../auth-context.ts';
import type { AuthEnv } from '../client-info.ts';
import { endpoint } from '../endpoint/endpoint.ts';
import { renderFormPage } from '../http/form-page.ts';
import { authCodeTtlSeconds, invalidStateError } from '../one-time-tokens/flow-state.ts';
import { addError } from '../one-time-tokens/redirect-params.ts';
import { findUserById } from '../users/user-records.ts';
import { requireUnlinked, type OAuthSignIn } from './account-linking.ts';
import { createBrowserToken, hashBrowserToken } from './browser-token.ts';
import { completeFlow, type OAuthFlow, type FlowResult, type ProviderTokens } from './complete-flow.ts';
import { redirectBrowser } from './redirect-browser.ts';
import type { Profile } from './profile.ts';
import { hasStateCookie, setStateCookie } from './state-cookie.ts';

interface PendingLink extends FlowResult {
  readonly flow: OAuthFlow;
  readonly userId: string;
}

/** The response of the provider, stored encrypted until the user confirms. */
interface StoredLink {
  readonly profile: Profile;
  readonly tokens: ProviderTokens;
}

const encryptionContext = (flowId: string): string => `link:${flowId}`;

/**
 * Stores the response of the provider and returns the confirmation page.
 *
 * @throws AuthError 403, 422
 */
export async function requestLinkConfirmation(
  c: Context<AuthEnv>,
  context: AuthContext,
  { flow, userId, signIn, tokens }: PendingLink,
): Promise<Response> {
  const { config, database, keys } = context;
  const token = createBrowserToken();
  const stored: StoredLink = { profile: signIn.profile, tokens };
  const sealed = keys.encrypt(Buffer.from(JSON.stringify(stored)), encryptionContext(flow.id));
  const user = await database.transaction(async (tx) => {
    await requireUnlinked(tx, userId, signIn);
    await tx.query(sql`update auth.flow_state set sealed = ${sealed}, expires_at = ${addSeconds(await context.now(tx), authCodeTtlSeconds)},
      browser_token_hash = ${hashBrowserToken('confirm', token)} where id = ${flow.id}`);
    return findUserById(tx, userId);
  });
  if (!user) throw new AuthError(403, 'user_not_found', 'User not found');
  setStateCookie(c, config, flow.id);
  return renderFormPage(c, {
    productName: config.PRODUCT_NAME,
    title: 'Link a sign-in method',
    redirect: new URL(flow.redirect_to),
    body: html`<p>
        Sign in to the ${config.PRODUCT_NAME} account
        <strong>${user.email ?? user.phone ?? user.id}</strong> with the ${flow.provider} account
        <strong>${accountName(signIn)}</strong>?
      </p>
      <p>Only continue if you started this and both accounts are yours.</p>
      <form method="post" action="callback/confirm">
        <input type="hidden" name="token" value="${token}" />
        <button type="submit" name="link" value="yes">Link account</button>
        <button type="submit" name="link" value="no" class="plain">Cancel</button>
      </form>`,
  });
}

function accountName({ profile: { email, data, subject } }: OAuthSignIn): string {
  const name = data['user_name'] ?? data['preferred_username'] ?? data['login'] ?? data['name'];
  return email ?? (typeof name === 'string' ? name : subject);
}

/** `POST /callback/confirm`: the form of the page. */
export const confirmLinking = endpoint(
  { guard: 'anyone', limit: 'token', body: 'form' },
  async ({ c, context, client, body }) => {
    c.header('Referrer-Policy', 'no-referrer');
    c.header('Cache-Control', 'no-store');
    const flow = await consumePendingLink(c, context, body.get('token') ?? '');
    if (!flow) {
      const error = invalidStateError();
      return c.redirect(addError(new URL(context.config.SITE_URL), error, true), 303);
    }
    return redirectBrowser(c, context, flow, async () => {
      if (body.get('link') !== 'yes') throw new AuthError(403, 'bad_oauth_callback', 'Linking was canceled');
      const text = Buffer.from(context.keys.decrypt(flow.sealed, encryptionContext(flow.id))).toString();
      const { profile, tokens } = JSON.parse(text) as StoredLink;
      return completeFlow(context, flow, {
        signIn: { provider: flow.provider, profile, client },
        tokens,
      });
    });
  },
);

/** Consumes and returns the flow; null in a browser that did not start it. */
async function consumePendingLink(
  c: Context<AuthEnv>,
  context: AuthContext,
  token: string,
): Promise<OAuthFlow | null> {
  return context.database.transaction(async (tx) => {
    const [flow] = await tx.query<OAuthFlow>(sql`select * from auth.flow_state
      where browser_token_hash = ${hashBrowserToken('confirm', token)} and expires_at > ${await context.now(tx)} for update`);
    if (!flow || !hasStateCookie(c, context.config, flow.id)) return null;
    await tx.query(
      sql`update auth.flow_state set sealed = null, browser_token_hash = null where id = ${flow.id}`,
    );
    return flow;
  });
}
