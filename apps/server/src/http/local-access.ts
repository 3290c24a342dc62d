/**
 * Requests that reach the service at a loopback URL. This proves nothing about who sends them: any TCP forward
 * delivers a stranger's request with a loopback socket and Host header. It only keeps out what is certainly remote, and
 * pages of other sites whose name points to 127.0.0.1 (DNS rebinding).
 */
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { AppEnv } from './context.ts';
import type { Config } from '../config/settings.ts';
import { isLoopback } from './loopback.ts';

const forwardingHeaders = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
];
const loopbackSocket = /^(::1|(::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3})$/;

/** Returns true if socket and Host header are loopback and no proxy has added a header. */
export function isLocalRequest(c: Context<AppEnv>): boolean {
  const bindings = c.env as Partial<HttpBindings> | undefined;
  const socket = bindings?.incoming?.socket?.remoteAddress ?? '';
  // A request without a Host header, as in-process calls have it, names its host in the address.
  const host = c.req.header('Host') ?? new URL(c.req.url).host;
  const forwarded = forwardingHeaders.some((name) => c.req.header(name) !== undefined);
  return loopbackSocket.test(socket) && isLoopback(host.replace(/:\d{1,5}$/, '')) && !forwarded;
}

/** Returns true if this instance shows captured emails: it has no mail server, and SITE_URL is a loopback URL. */
export const isMailboxEnabled = ({
  MIGRATE,
  SMTP_URL,
  SITE_URL,
}: Pick<Config, 'MIGRATE' | 'SMTP_URL' | 'SITE_URL'>): boolean =>
  MIGRATE && SMTP_URL === '' && isLoopback(new URL(SITE_URL).hostname);
