/**
 * Compresses responses of every status. Hono's own middleware leaves 206 out because of byte ranges (RFC 9110,
 * section 14.2), but here 206 means a page of rows.
 */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { MiddlewareHandler } from 'hono';
import type { AppEnv } from './context.ts';

const compress = promisify(gzip);

/** Smaller bodies fit into one packet with their head. */
const minBytes = 1024;

const compressible = /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml))/i;

export const compressResponses: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next();
  if (!acceptsGzip(c.get('headers').get('accept-encoding')) || c.req.method === 'HEAD') return;
  const { status, headers, body } = c.res;
  if (!body || headers.has('Content-Encoding') || !compressible.test(headers.get('Content-Type') ?? ''))
    return;
  if (Number(headers.get('Content-Length') ?? minBytes) < minBytes) return;
  const bytes = Buffer.from(await c.res.arrayBuffer());
  const small = bytes.length < minBytes;
  if (!small) {
    headers.set('Content-Encoding', 'gzip');
    headers.append('Vary', 'Accept-Encoding');
    headers.delete('Content-Length');
  }
  // Hono would copy the headers of a response that is replaced.
  c.res = undefined;
  c.res = new Response(small ? bytes : await compress(bytes), { status, headers });
};

function acceptsGzip(header: string | null): boolean {
  const [, weight = '1'] = /(?:^|,)\s*gzip\s*(?:;\s*q=([\d.]+)\s*)?(?:,|$)/i.exec(header ?? '') ?? [
    null,
    '0',
  ];
  return Number(weight) > 0;
}
