/**
 * Compresses responses of every status. Hono's own middleware leaves 206 out because of byte ranges (RFC 9110,
 * section 14.2), but here 206 means a page of rows.
 */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { MiddlewareHandler } from 'hono';
import type { AppEnv } from './context.ts';

const toGzip = promisify(gzip);
const toBrotli = promisify(brotliCompress);

/**
 * For a page of 200 rows, the result is 12 % smaller than with gzip and takes a third of the time. Higher levels take 5
 * times as long for another 1 %.
 */
const brotliLevel = { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } };

/** Smaller bodies fit into one packet with the headers. */
const minBytes = 1024;

const compressible = /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml))/i;

export const compressResponses: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next();
  const encoding = findEncoding(c.get('headers').get('accept-encoding'));
  if (encoding === undefined || c.req.method === 'HEAD') return;
  const { status, headers, body } = c.res;
  if (!body || headers.has('Content-Encoding') || !compressible.test(headers.get('Content-Type') ?? ''))
    return;
  if (headers.get('Cache-Control')?.includes('no-transform')) return;
  if (Number(headers.get('Content-Length') ?? minBytes) < minBytes) return;
  const bytes = Buffer.from(await c.res.arrayBuffer());
  const small = bytes.length < minBytes;
  if (!small) {
    headers.set('Content-Encoding', encoding);
    headers.append('Vary', 'Accept-Encoding');
    headers.delete('Content-Length');
  }
  // Hono would copy the headers of a response that is replaced.
  c.res = undefined;
  const compressed = small ? bytes : await (encoding === 'br' ? toBrotli(bytes, brotliLevel) : toGzip(bytes));
  c.res = new Response(compressed, { status, headers });
};

/** The smallest encoding first, each with the pattern of its list element (RFC 9110, section 12.5.3). */
const encodings = [
  { name: 'br', element: /(?:^|,)\s*br\s*(?:;\s*q=([\d.]+)\s*)?(?:,|$)/i },
  { name: 'gzip', element: /(?:^|,)\s*gzip\s*(?:;\s*q=([\d.]+)\s*)?(?:,|$)/i },
] as const;

/** Returns the first encoding that an `Accept-Encoding` header names with a weight above 0; undefined for none. */
export const findEncoding = (header: string | null): 'br' | 'gzip' | undefined =>
  encodings.find(({ element }) => {
    const match = element.exec(header ?? '');
    return match !== null && Number(match[1] ?? '1') > 0;
  })?.name;
