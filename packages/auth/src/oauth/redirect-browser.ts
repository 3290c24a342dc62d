/** Redirects the browser of an OAuth flow back to the client that started it. */
import type { Context } from 'hono';
import type { AuthError } from '../auth-error.ts';
import { toAuthError } from '../http/error-response.ts';
import type { AuthContext } from '../auth-context.ts';
import type { AuthEnv } from '../client-info.ts';
import { addError, findErrorName } from '../one-time-tokens/redirect-params.ts';
import type { OAuthFlow } from './complete-flow.ts';
import { clearStateCookie } from './state-cookie.ts';

/**
 * Redirects the browser to the client with the result of `work` or with its error, and clears the state cookie. If
 * `work` returns a page, responds with the page and keeps the cookie.
 */
export async function redirectBrowser(
  c: Context<AuthEnv>,
  context: AuthContext,
  flow: OAuthFlow,
  work: () => Promise<string | Response>,
): Promise<Response> {
  const { config, log } = context;
  // 303 changes the POST of a form to a GET.
  const status = c.req.method === 'POST' ? 303 : 302;
  try {
    const result = await work();
    if (typeof result !== 'string') return result;
    clearStateCookie(c, config, flow.id);
    return c.redirect(result, status);
  } catch (error) {
    const apiError = toAuthError(error);
    if (apiError.status >= 500) log.error({ err: error, provider: flow.provider }, 'provider sign-in failed');
    clearStateCookie(c, config, flow.id);
    return c.redirect(addError(new URL(flow.redirect_to), apiError, true, toErrorName(apiError)), status);
  }
}

const accessDeniedCodes = ['signup_disabled', 'user_banned', 'provider_email_needs_verification'];

/** Returns the `error` parameter: the one of the provider, otherwise the one for the code or the status. */
function toErrorName({ code, status, details }: AuthError): string {
  if (details instanceof ProviderError) return details.error;
  if (accessDeniedCodes.includes(code)) return 'access_denied';
  return findErrorName(status) ?? 'server_error';
}

/** The `error` of a provider's response (RFC 6749, section 4.1.2.1). */
export class ProviderError {
  readonly error: string;

  constructor(error: string) {
    this.error = error;
  }
}
