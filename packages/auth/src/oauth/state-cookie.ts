/**
 * Binds an OAuth flow to the browser that started it (RFC 6749, section 10.12): the callback accepts a state only
 * with its cookie. Otherwise an attacker could complete their own flow in a victim's browser. That would sign the
 * victim in to the attacker's account, or link the victim's identity to it.
 */
import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { AuthEnv } from '../client-info.ts';
import type { AuthSettings } from '../settings.ts';
import { constantTimeEqual } from '../keys/api-keys.ts';
import { authCodeTtlSeconds } from '../one-time-tokens/flow-state.ts';

/** Hashed, so that a leaked cookie does not reveal the state. */
const hashState = (state: string): string => createHash('sha256').update(state).digest('base64url');

/** One cookie per state, because a browser can have several concurrent flows. */
const toCookieName = (state: string): string => `oauth-state-${hashState(state).slice(0, 12)}`;

/** Another host of the site cannot set a `__Host-` cookie. Browsers accept it over HTTPS only. */
const cookiePrefix = ({ SITE_URL }: AuthSettings): 'host' | undefined =>
  SITE_URL.startsWith('https:') ? 'host' : undefined;

/** SameSite=Lax: the provider's site starts the navigation to the callback. */
export function setStateCookie(c: Context<AuthEnv>, config: AuthSettings, state: string): void {
  const prefix = cookiePrefix(config);
  setCookie(c, toCookieName(state), hashState(state), {
    ...(prefix ? { prefix, secure: true } : {}),
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    maxAge: authCodeTtlSeconds,
  });
}

/** Returns true if this browser started the flow. */
export function hasStateCookie(c: Context<AuthEnv>, config: AuthSettings, state: string): boolean {
  const prefix = cookiePrefix(config);
  const value = prefix ? getCookie(c, toCookieName(state), prefix) : getCookie(c, toCookieName(state));
  return constantTimeEqual(value ?? '', hashState(state));
}

export function clearStateCookie(c: Context<AuthEnv>, config: AuthSettings, state: string): void {
  const prefix = cookiePrefix(config);
  deleteCookie(c, toCookieName(state), { ...(prefix ? { prefix, secure: true } : {}), path: '/' });
}
