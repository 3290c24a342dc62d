/**
 * Kept mails hold links that sign people in, so only somebody at this very machine may read them: the
 * socket and the Host header must both be loopback, and nothing may have been forwarded. The Host
 * header keeps pages of other sites out that point a name of theirs at 127.0.0.1.
 */
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { AppEnv } from '../app-env.ts';
import type { Config } from '../config.ts';
import { isLoopback } from '../loopback.ts';

const forwardingHeaders = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
];
const loopbackSocket = /^(::1|(::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3})$/;

export function atThisMachine(c: Context<AppEnv>): boolean {
  const bindings = c.env as Partial<HttpBindings> | undefined;
  const socket = bindings?.incoming?.socket?.remoteAddress ?? '';
  // A request without a Host header, as in-process calls have it, names its host in the address.
  const host = c.req.header('Host') ?? new URL(c.req.url).host;
  const forwarded = forwardingHeaders.some((name) => c.req.header(name) !== undefined);
  return loopbackSocket.test(socket) && isLoopback(host.replace(/:\d{1,5}$/, '')) && !forwarded;
}

/**
 * Whether people reach this instance at this machine alone. Under another name, a proxy on this machine
 * may pass a stranger's request on with a loopback Host and no forwarding header.
 */
export const isLocalSite = ({ SITE_URL }: Pick<Config, 'SITE_URL'>): boolean =>
  isLoopback(new URL(SITE_URL).hostname);

/** Whether this instance shows kept mails. */
export const hasMailbox = (config: Pick<Config, 'SMTP_URL' | 'SITE_URL'>): boolean =>
  config.SMTP_URL === '' && isLocalSite(config);
