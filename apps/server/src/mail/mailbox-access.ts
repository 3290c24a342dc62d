/**
 * Access to `/mailbox`. Captured emails hold links that sign users in. A loopback socket and Host header prove nothing:
 * any TCP forward (`ssh -R`, `kubectl port-forward`) delivers a stranger's request with both. So a browser must first
 * open a link with a secret of this start, which it exchanges for a cookie.
 */
import { randomBytes } from 'node:crypto';
import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import type { AppEnv } from '../http/context.ts';
import type { Config } from '../config/settings.ts';
import { constantTimeEqual } from '../keys/api-keys.ts';

export interface MailboxAccess {
  /** The URL that the operator opens. It holds the secret. */
  readonly link: string;
  /** Sets the cookie if the request's query holds the secret, and returns whether it does. */
  redeem(c: Context<AppEnv>): boolean;
  /** Returns true if the request carries the cookie. */
  isGranted(c: Context<AppEnv>): boolean;
}

const cookie = 'lanternrock-mailbox';

export function createMailboxAccess({ SITE_URL }: Pick<Config, 'SITE_URL'>): MailboxAccess {
  const secret = randomBytes(32).toString('base64url');
  return {
    link: `${SITE_URL}/mailbox?secret=${secret}`,
    redeem(c) {
      if (!constantTimeEqual(c.req.query('secret') ?? '', secret)) return false;
      const secure = SITE_URL.startsWith('https:');
      // Strict: a page of another origin cannot make the browser fetch or open the mailbox.
      setCookie(c, cookie, secret, { path: '/mailbox', httpOnly: true, sameSite: 'Strict', secure });
      return true;
    },
    isGranted: (c) => constantTimeEqual(getCookie(c, cookie) ?? '', secret),
  };
}
