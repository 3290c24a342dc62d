/**
 * Access control of `/mailbox`. Captured emails contain sign-in links. A loopback connection and Host header do not
 * prove a local client: TCP forwarding (`ssh -R`, `kubectl port-forward`) delivers remote requests with both. A browser
 * must first open a link with a secret, generated at each start, and receives a cookie in exchange.
 */
import { randomBytes } from 'node:crypto';
import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import type { AppEnv } from '../http/context.ts';
import type { Config } from '../config/settings.ts';
import { constantTimeEqual } from '../http/constant-time-equal.ts';

export interface MailboxAccess {
  /** URL with the secret, for the operator. */
  readonly link: string;
  /** Sets the cookie and returns true if the query of the request contains the secret. */
  redeem(c: Context<AppEnv>): boolean;
  /** Returns true if the request has the cookie. */
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
