/**
 * Detects requests to a loopback URL. This does not prove a local client, because TCP forwarding delivers remote
 * requests with a loopback connection and Host header. It blocks requests that are certainly remote, and DNS rebinding
 * (pages of other sites whose host name resolves to 127.0.0.1).
 */
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { AppEnv } from './context.ts';
import type { Config } from '../config/settings.ts';

/** Loopback host names and IP addresses. */
const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\]|::1)$/i;

/** @param host a host name or IP address without a port, as in `URL.hostname` or as the address of a socket */
export const isLoopback = (host: string): boolean => loopback.test(host);

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
  // In-process calls have no Host header but an absolute URL.
  const host = c.req.header('Host') ?? new URL(c.req.url).host;
  const forwarded = forwardingHeaders.some((name) => c.req.header(name) !== undefined);
  return loopbackSocket.test(socket) && isLoopback(host.replace(/:\d{1,5}$/, '')) && !forwarded;
}

/** Returns true if this instance serves `/mailbox`: SMTP_URL is not set, and SITE_URL is a loopback URL. */
export const isMailboxEnabled = ({
  MIGRATE,
  SMTP_URL,
  SITE_URL,
}: Pick<Config, 'MIGRATE' | 'SMTP_URL' | 'SITE_URL'>): boolean =>
  MIGRATE && SMTP_URL === '' && isLoopback(new URL(SITE_URL).hostname);
