/** `GET /verify`, which a browser opens from an email, and the form of its page. */
import { html } from 'hono/html';
import { AuthError } from '../auth-error.ts';
import type { AuthContext } from '../auth-context.ts';
import type { ClientInfo } from '../client-info.ts';
import { endpoint } from '../endpoint/endpoint.ts';
import { toAuthError } from '../http/error-response.ts';
import { renderFormPage } from '../http/form-page.ts';
import { firstConfirmationMessage } from './email-change.ts';
import { issueAuthCode, flowNotFoundError } from '../one-time-tokens/flow-state.ts';
import { isEmailLinkType, redeemLink } from './redeem-link.ts';
import { addCode, addError, addFragment, addSession } from '../one-time-tokens/redirect-params.ts';
import { buildEmailLink, resolveRedirect } from '../one-time-tokens/redirect-urls.ts';
import { buildTokenResponse, type ActiveSession } from '../sessions/sessions.ts';
import { createSession } from '../sessions/session-writes.ts';

const pageTexts: Record<string, { title: string; button: string }> = {
  signup: { title: 'Confirm your email address', button: 'Confirm' },
  invite: { title: 'Accept your invitation', button: 'Continue' },
  magiclink: { title: 'Sign in', button: 'Sign in' },
  recovery: { title: 'Reset your password', button: 'Continue' },
  email_change: { title: 'Confirm the change of your email address', button: 'Confirm' },
};

interface Link {
  readonly token: string;
  readonly type: string;
  readonly redirect: URL;
}

function readLink(
  read: (name: string) => string | undefined,
  referer: string | undefined,
  { config }: AuthContext,
): Link {
  const type = read('type') ?? '';
  const token = read('token') || read('token_hash') || '';
  if (type === '') throw new AuthError(400, 'validation_failed', 'Verify requires a verification type');
  if (token === '') throw new AuthError(400, 'validation_failed', 'Verify requires a token or a token hash');
  return { type, token, redirect: resolveRedirect(read('redirect_to'), referer, config) };
}

/** Returns a page with a button. Reads only the parameters of the link, because email scanners fetch links. */
export const getVerifyPage = endpoint({ guard: 'anyone' }, async ({ c, context }) => {
  const link = readLink((name) => c.req.query(name), c.req.header('Referer'), context);
  const { title, button } = pageTexts[link.type] ?? { title: 'Continue', button: 'Continue' };
  return renderFormPage(c, {
    productName: context.config.PRODUCT_NAME,
    title,
    redirect: link.redirect,
    body: html`<p>${title}.</p>
      <form method="post" action="verify">
        <input type="hidden" name="token" value="${link.token}" />
        <input type="hidden" name="type" value="${link.type}" />
        <input type="hidden" name="redirect_to" value="${link.redirect.href}" />
        <button type="submit">${button}</button>
      </form>
      ${consoleOption(link, context)}`,
  });
});

/**
 * Returns a link that continues in the console. A client that requests an email chooses a redirect URL and a PKCE
 * challenge with which the form works in its browser only. No such request may keep the owner of the mailbox out of the
 * account, since its email counts towards the cooldown and the maximum of valid links.
 */
function consoleOption({ type, token }: Link, { config }: AuthContext): ReturnType<typeof html> | '' {
  if (type !== 'recovery' && type !== 'magiclink') return '';
  const text = type === 'recovery' ? 'Set the password here' : 'Sign in here';
  const link = { type, token: token.replace(/^pkce_/, ''), redirect: null };
  const href = buildEmailLink(config, { ...link, pkce: false, setup: type === 'recovery' });
  return html`<p>
    Did you request this email in another browser or on another device? <a href="${href}">${text}</a>.
  </p>`;
}

/** Redeems the posted token and responds with the 303 redirect of Supabase Auth. */
export const postVerifyForm = endpoint(
  { guard: 'anyone', limit: 'token', body: 'form' },
  async ({ c, context, client, body: form }) => {
    const link = readLink((name) => form.get(name) ?? undefined, undefined, context);
    const pkce = link.token.startsWith('pkce_');
    c.header('Referrer-Policy', 'no-referrer');
    c.header('Cache-Control', 'no-store');
    try {
      return c.redirect(await redeem(context, client, link, pkce), 303);
    } catch (error) {
      const apiError = toAuthError(error);
      if (apiError.status >= 500) throw error;
      return c.redirect(addError(link.redirect, apiError, pkce), 303);
    }
  },
);

type Outcome = ActiveSession | { readonly code: string } | 'first_confirmation' | AuthError;

async function redeem(context: AuthContext, client: ClientInfo, link: Link, pkce: boolean): Promise<string> {
  const { type, token, redirect } = link;
  if (!isEmailLinkType(type)) throw new AuthError(400, 'validation_failed', 'Unsupported verification type');
  const outcome = await context.database.transaction(async (tx): Promise<Outcome> => {
    const redeemed = await redeemLink(tx, context, { type, token: token.replace(/^pkce_/, ''), client });
    if (redeemed instanceof AuthError || redeemed === 'first_confirmation') return redeemed;
    if (!pkce)
      return createSession(tx, context, {
        user: redeemed.user,
        method: 'otp',
        client,
        fromLink: redeemed.fromLink,
      });
    const code =
      redeemed.flowStateId && (await issueAuthCode(tx, context, redeemed.flowStateId, redeemed.user.id));
    return code ? { code } : flowNotFoundError();
  });
  if (outcome instanceof AuthError) throw outcome;
  if (outcome === 'first_confirmation') {
    const values = { message: firstConfirmationMessage };
    return addFragment(redirect, values, pkce ? ['message'] : []);
  }
  if ('code' in outcome) return addCode(redirect, outcome.code);
  return addSession(redirect, await buildTokenResponse(context, outcome), { type });
}
