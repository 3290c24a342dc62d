/** Gives every request its id and the client's address, and writes one log line per answer. */
import { randomUUID } from 'node:crypto';
import { BlockList, isIP } from 'node:net';
import type { HttpBindings } from '@hono/node-server';
import type { Context, MiddlewareHandler } from 'hono';
import type { Logger } from 'pino';
import type { AppEnv } from './context.ts';
import type { Config } from '../config/settings.ts';
import { readRequestHeaders } from './request-headers.ts';

/** The peer of the socket; '' when there is none, as in tests that call the app directly. */
function socketAddress(c: Context<AppEnv>): string {
  const bindings = c.env as Partial<HttpBindings> | undefined;
  return plainAddress(bindings?.incoming?.socket?.remoteAddress ?? '');
}

/** One spelling per address: an IPv4 address in IPv6 dress is that IPv4 address. */
const plainAddress = (address: string): string => address.toLowerCase().replace(/^::ffff:(?=\d)/, '');

/** Whether the client hung up before its answer was written. */
const isGone = (c: Context<AppEnv>): boolean =>
  (c.env as Partial<HttpBindings> | undefined)?.outgoing?.destroyed ?? false;

function trustedPeers(config: Config): (address: string) => boolean {
  const list = new BlockList();
  for (const entry of config.TRUSTED_PROXIES) {
    const [address = '', prefix] = entry.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return (address) => isIP(address) !== 0 && list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

/** The IP address of a hop. Some proxies add the port: `203.0.113.7:4711`, `[2001:db8::7]:4711`. */
function addressOfHop(hop: string): string {
  const [, bracketed] = /^\[([^\]]+)\](?::\d+)?$/.exec(hop) ?? [];
  const [, beforePort] = /^([\d.]+):\d+$/.exec(hop) ?? [];
  return plainAddress(bracketed ?? beforePort ?? hop);
}

/**
 * Returns the right-most IP address of X-Forwarded-For that is not a trusted proxy. Everything left of a hop that is no
 * IP address may have been sent by the client, so the search ends there, at the last proxy that is known.
 */
function clientBehind(header: string, peer: string, trusted: (address: string) => boolean): string {
  let client = peer;
  for (const hop of header.split(',').reverse()) {
    const address = addressOfHop(hop.trim());
    if (isIP(address) === 0) return client;
    client = address;
    if (!trusted(address)) return client;
  }
  return client;
}

export function requestContext(config: Config, log: Logger): MiddlewareHandler<AppEnv> {
  const trusted = trustedPeers(config);
  let warned = false;
  return async (c, next) => {
    const started = performance.now();
    const requestId = randomUUID();
    const peer = socketAddress(c);
    const headers = readRequestHeaders(c);
    const forwarded = headers.get('x-forwarded-for');
    let client = peer;
    if (forwarded !== null && trusted(peer)) client = clientBehind(forwarded, peer, trusted);
    else if (forwarded !== null && !warned) {
      warned = true;
      log.warn({ peer }, 'X-Forwarded-For from a peer that TRUSTED_PROXIES does not name is ignored');
    }
    c.set('headers', headers);
    c.set('requestId', requestId);
    c.set('clientIp', client);
    await next();
    // Reading is the rule and says little; what changes or fails is what somebody looks for later. An
    // answer that nobody waited for is no failure: what it asked was stopped on purpose.
    const status = isGone(c) ? 'cut' : c.res.status;
    const reads = c.req.method === 'GET' || c.req.method === 'HEAD';
    const quiet = reads && (status === 'cut' || status < 400);
    log[quiet ? 'debug' : 'info'](
      {
        requestId,
        method: c.req.method,
        // Never the query: links carry tokens there.
        path: c.req.path,
        status,
        client,
        ms: Math.round(performance.now() - started),
      },
      'request',
    );
  };
}
