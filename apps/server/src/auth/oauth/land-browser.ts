/** Sends the browser of an OAuth flow back to the client that began it. */
import type { Context } from 'hono';
import type { AppEnv } from '../../http/context.ts';
import type { ApiError } from '../../errors.ts';
import { toApiError } from '../error-response.ts';
import type { AuthContext } from '../auth-context.ts';
import { redirectWithError } from '../one-time-tokens/redirect-params.ts';
import type { Flow } from './complete-flow.ts';
import { clearStateCookie } from './state-cookie.ts';

/**
 * Sends the browser to where the flow's client waits, with what `work` returns or with its error. The cookie has done
 * its work unless `work` returned a page.
 */
export async function landBrowser(
  c: Context<AppEnv>,
  context: AuthContext,
  flow: Flow,
  work: () => Promise<string | Response>,
): Promise<Response> {
  const { config, log } = context;
  // After a form the browser must go on by GET.
  const status = c.req.method === 'POST' ? 303 : 302;
  try {
    const next = await work();
    if (typeof next !== 'string') return next;
    clearStateCookie(c, config, flow.id);
    return c.redirect(next, status);
  } catch (error) {
    const refusal = toApiError(error);
    if (refusal.status >= 500)
      log.error({ err: error, provider: flow.provider }, 'signing in by a provider failed');
    clearStateCookie(c, config, flow.id);
    return c.redirect(
      redirectWithError(new URL(flow.redirect_to), refusal, true, errorName(refusal)),
      status,
    );
  }
}

const denied = ['signup_disabled', 'user_banned', 'provider_email_needs_verification'];

/** What a provider said itself goes through; other refusals of ours are errors of this server. */
function errorName({ code, status, details }: ApiError): string | undefined {
  if (details instanceof ProviderError) return details.error;
  if (denied.includes(code)) return 'access_denied';
  return [400, 401, 403, 500, 503].includes(status) ? undefined : 'server_error';
}

/** The `error` with which a provider sent the browser back (RFC 6749, section 4.1.2.1). */
export class ProviderError {
  readonly error: string;

  constructor(error: string) {
    this.error = error;
  }
}
