/** Where a link or a provider may send a browser back to (auth contract 9.1). */
import { isIP } from 'node:net';
import type { Context } from 'hono';
import type { AppEnv } from '../../http/context.ts';
import type { Config } from '../../config/settings.ts';
import { compileRedirectPattern } from '../../redirect-pattern.ts';
import type { AuthContext } from '../auth-context.ts';

/** The console's page that completes a sign-in from a link. */
const callbackPath = '/auth/callback';

/**
 * The wished target when it is allowed, else null. Tokens travel to this address, so everything that
 * two URL parsers might read differently is refused before any rule is looked at.
 */
export function parseAllowedRedirect(wish: string | undefined, config: Config): URL | null {
  if (wish === undefined || wish === '' || /[\u0000-\u0020\u007f\\]/.test(wish)) return null;
  const explicit = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)/i.exec(wish);
  if (!explicit || !URL.canParse(wish)) return null;
  const url = new URL(wish);
  if (url.username !== '' || url.password !== '') return null;
  const web = url.protocol === 'http:' || url.protocol === 'https:';
  const site = new URL(config.SITE_URL);
  if (web) {
    // The host as written must be the host as read: no decimal numbers, no encodings.
    const written = (explicit[2] ?? '').toLowerCase().replace(/:\d*$/, '');
    if (written !== url.hostname || !/^[a-z0-9.-]+$|^\[[0-9a-f:]+\]$/.test(written)) return null;
    const literal = isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0;
    if (literal && !isLoopbackHost(url.hostname) && url.hostname !== site.hostname) return null;
  }
  if (web && url.protocol === site.protocol && url.hostname === site.hostname) {
    if (url.port === site.port || isLoopbackHost(site.hostname)) return url;
  }
  const plain = wish.split('#')[0] ?? '';
  return config.REDIRECT_URLS.some((pattern) => compileRedirectPattern(pattern)(plain)) ? url : null;
}

const isLoopbackHost = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);

/** The target that a request for a mail wishes its link to lead to, where that is allowed. */
export function readRequestedRedirect(
  c: Context<AppEnv>,
  { config }: Pick<AuthContext, 'config'>,
): URL | null {
  return parseAllowedRedirect(c.req.query('redirect_to') ?? c.req.header('redirect_to'), config);
}

/** The wish, else the page that asked, else SITE_URL. */
export function resolveRedirect(wish: string | undefined, referer: string | undefined, config: Config): URL {
  return (
    parseAllowedRedirect(wish, config) ?? parseAllowedRedirect(referer, config) ?? new URL(config.SITE_URL)
  );
}

/**
 * The address that goes into a mail. Our own console takes the token itself and exchanges it by POST;
 * any other target, and the PKCE flow, go through the confirmation page of `/verify`.
 * @param wish an allowed target, or null for our own callback
 */
export function buildEmailLink(
  config: Config,
  link: { token: string; type: string; redirect: URL | null; pkce: boolean; setup: boolean },
): string {
  const { token, type, redirect, pkce, setup } = link;
  const site = new URL(config.SITE_URL);
  const own = redirect === null || (redirect.origin === site.origin && redirect.pathname === callbackPath);
  if (own && !pkce) {
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
