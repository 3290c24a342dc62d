/** Decides which redirect URLs are allowed, and builds the URLs of email links. */
import { isIP } from 'node:net';
import type { Context } from 'hono';
import type { AuthSettings } from '../settings.ts';
import { compileRedirectPattern, isLoopbackHost } from '../redirect-pattern.ts';
import type { AuthContext } from '../auth-context.ts';
import type { AuthEnv } from '../client-info.ts';

type RedirectSettings = Pick<AuthSettings, 'SITE_URL' | 'REDIRECT_URLS'>;

/** Maximum length of a redirect URL. The time of a pattern with two `**` grows with the square of it: 2 ms. */
const maxLength = 2048;

/** Page of SITE_URL that completes a sign-in from a link. */
const callbackPath = '/auth/callback';

/**
 * Returns the requested URL if it is allowed, otherwise null. Tokens are sent to this URL, so every URL that two
 * parsers could read differently is rejected before the allow list is checked.
 */
export function parseAllowedRedirect(requested: string | undefined, config: RedirectSettings): URL | null {
  if (requested === undefined || requested === '' || requested.length > maxLength) return null;
  if (/[\u0000-\u0020\u007f\\]/.test(requested)) return null;
  const parts = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)/i.exec(requested);
  if (!parts || !URL.canParse(requested)) return null;
  const url = new URL(requested);
  if (url.username !== '' || url.password !== '') return null;
  const isHttp = url.protocol === 'http:' || url.protocol === 'https:';
  const site = new URL(config.SITE_URL);
  if (isHttp) {
    // The host as written must equal the parsed host: no decimal numbers, no encodings.
    const writtenHost = (parts[2] ?? '').toLowerCase().replace(/:\d*$/, '');
    if (writtenHost !== url.hostname || !/^[a-z0-9.-]+$|^\[[0-9a-f:]+\]$/.test(writtenHost)) return null;
    const isIpLiteral = isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0;
    if (isIpLiteral && !isLoopbackHost(url.hostname) && url.hostname !== site.hostname) return null;
  }
  if (isHttp && url.protocol === site.protocol && url.hostname === site.hostname) {
    if (url.port === site.port || isLoopbackHost(site.hostname)) return url;
  }
  const withoutFragment = requested.split('#')[0] ?? '';
  return config.REDIRECT_URLS.some((pattern) => compileRedirectPattern(pattern)(withoutFragment))
    ? url
    : null;
}

/** Reads the redirect URL that a request for an email asks for; null if it is absent or not allowed. */
export function readRequestedRedirect(
  c: Context<AuthEnv>,
  { config }: Pick<AuthContext, 'config'>,
): URL | null {
  return parseAllowedRedirect(c.req.query('redirect_to') ?? c.req.header('redirect_to'), config);
}

/** Returns the requested URL, otherwise that of the referring page, otherwise SITE_URL. */
export function resolveRedirect(
  requested: string | undefined,
  referer: string | undefined,
  config: RedirectSettings,
): URL {
  return (
    parseAllowedRedirect(requested, config) ??
    parseAllowedRedirect(referer, config) ??
    new URL(config.SITE_URL)
  );
}

/**
 * Returns the URL for an email. The callback page of SITE_URL takes the token and exchanges it by POST; any other
 * redirect URL, and the PKCE flow, use the confirmation page `/verify`.
 *
 * @param link `redirect`: an allowed URL, or null for the callback page
 */
export function buildEmailLink(
  config: RedirectSettings,
  link: { token: string; type: string; redirect: URL | null; pkce: boolean; setup: boolean },
): string {
  const { token, type, redirect, pkce, setup } = link;
  const site = new URL(config.SITE_URL);
  const isCallbackPage =
    redirect === null || (redirect.origin === site.origin && redirect.pathname === callbackPath);
  if (isCallbackPage && !pkce) {
    const url = new URL(callbackPath, site);
    if (setup) url.searchParams.set('setup', 'true');
    url.searchParams.set('token_hash', token);
    url.searchParams.set('type', type);
    return url.href;
  }
  const url = new URL('/auth/v1/verify', site);
  url.searchParams.set('token', pkce ? `pkce_${token}` : token);
  url.searchParams.set('type', type);
  url.searchParams.set('redirect_to', (redirect ?? new URL(callbackPath, site)).href);
  return url.href;
}
