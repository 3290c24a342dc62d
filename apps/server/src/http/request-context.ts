/** Sets the request ID and the client IP address of each request, and writes one log entry per response. */
import { randomUUID } from 'node:crypto';
import { BlockList, isIP } from 'node:net';
import type { HttpBindings } from '@hono/node-server';
import type { Context, MiddlewareHandler } from 'hono';
import type { Logger } from 'pino';
import { maxUserAgentLength, type ClientInfo } from '@lanternrock/auth';
import { consoleClientInfo } from '@lanternrock/contract/runtime';
import type { AppEnv } from './context.ts';
import type { Config } from '../config/settings.ts';
import { readRequestHeaders } from './request-headers.ts';

/** Returns the IP address of the peer, or '' without a socket, as in tests that call the app directly. */
function readPeerIp(c: Context<AppEnv>): string {
  const bindings = c.env as Partial<HttpBindings> | undefined;
  return normalizeIp(bindings?.incoming?.socket?.remoteAddress ?? '');
}

/** Converts an IPv4-mapped IPv6 address to the IPv4 address. */
const normalizeIp = (ip: string): string => ip.toLowerCase().replace(/^::ffff:(?=\d)/, '');

/** Returns true if the client disconnected before the response was sent. */
const isDisconnected = (c: Context<AppEnv>): boolean =>
  (c.env as Partial<HttpBindings> | undefined)?.outgoing?.destroyed ?? false;

function createTrustCheck(config: Config): (ip: string) => boolean {
  const list = new BlockList();
  for (const entry of config.TRUSTED_PROXIES) {
    const [ip = '', prefix] = entry.split('/');
    const family = isIP(ip) === 6 ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(ip, family);
    else list.addSubnet(ip, Number(prefix), family);
  }
  return (ip) => isIP(ip) !== 0 && list.check(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4');
}

/** Parses the IP address of a hop. Some proxies add the port: `203.0.113.7:4711`, `[2001:db8::7]:4711`. */
function parseHop(hop: string): string {
  const [, bracketed] = /^\[([^\]]+)\](?::\d+)?$/.exec(hop) ?? [];
  const [, beforePort] = /^([\d.]+):\d+$/.exec(hop) ?? [];
  return normalizeIp(bracketed ?? beforePort ?? hop);
}

/**
 * Returns the right-most IP address of X-Forwarded-For that is not a trusted proxy. The client may have sent all hops
 * to the left of an invalid one, so the search stops there and returns the last known proxy.
 */
function findClientIp(header: string, peer: string, isTrusted: (ip: string) => boolean): string {
  let clientIp = peer;
  for (const hop of header.split(',').reverse()) {
    const ip = parseHop(hop.trim());
    if (isIP(ip) === 0) return clientIp;
    clientIp = ip;
    if (!isTrusted(ip)) return clientIp;
  }
  return clientIp;
}

/** Returns the client for the Auth API. */
export const readClientInfo = (c: Context<AppEnv>): ClientInfo => ({
  ip: c.get('clientIp') ?? '',
  userAgent: (c.get('headers') ?? c.req.raw.headers).get('user-agent')?.slice(0, maxUserAgentLength) ?? null,
  requestId: c.get('requestId') ?? '',
  origin: readRequestOrigin(c),
});

/** Returns the origin for the audit log. The header of the console is a statement of the client, not a proof. */
export const readRequestOrigin = (c: Context<AppEnv>): 'console' | 'interface' =>
  (c.get('headers') ?? c.req.raw.headers).get('x-client-info') === consoleClientInfo
    ? 'console'
    : 'interface';

export function requestContext(config: Config, log: Logger): MiddlewareHandler<AppEnv> {
  const isTrusted = createTrustCheck(config);
  let warned = false;
  return async (c, next) => {
    const started = performance.now();
    const requestId = randomUUID();
    const peer = readPeerIp(c);
    const headers = readRequestHeaders(c);
    const forwarded = headers.get('x-forwarded-for');
    let clientIp = peer;
    if (forwarded !== null && isTrusted(peer)) clientIp = findClientIp(forwarded, peer, isTrusted);
    else if (forwarded !== null && !warned) {
      warned = true;
      log.warn({ peer }, 'ignored X-Forwarded-For from a peer that is not in TRUSTED_PROXIES');
    }
    c.set('headers', headers);
    c.set('requestId', requestId);
    c.set('clientIp', clientIp);
    await next();
    // Successful reads are frequent and rarely of interest, and neither is a read that the client aborted.
    const status = isDisconnected(c) ? 'cut' : c.res.status;
    const isRead = c.req.method === 'GET' || c.req.method === 'HEAD';
    const isDebug = isRead && (status === 'cut' || status < 400);
    log[isDebug ? 'debug' : 'info'](
      {
        requestId,
        method: c.req.method,
        // Without the query, which contains the tokens of links.
        path: c.req.path,
        status,
        clientIp,
        durationMs: Math.round(performance.now() - started),
      },
      'request',
    );
  };
}
