/**
 * Headers that every answer carries: security, the request's id, the running build. Which policy
 * applies follows from what the answer is. Answers of the data interface are made with them, all
 * others get them afterwards, which costs a second look at the answer.
 */
import { buildHeader } from '@lanternrock/contract/runtime';
import type { MiddlewareHandler } from 'hono';
import type { AppEnv } from '../app-env.ts';
import type { Config } from '../config.ts';

const documentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "object-src 'none'",
  "frame-ancestors 'none'",
];

/** JSON and other answers of the interfaces: nothing in them may run, even when opened in a tab. */
const interfacePolicy = "default-src 'none'; frame-ancestors 'none'; sandbox";

const interfaces = /^\/(?:rest|auth|functions)\/v1(?:\/|$)/;

const permissions = [
  'camera=()',
  'microphone=()',
  'geolocation=()',
  'payment=()',
  'usb=()',
  'clipboard-write=(self)',
  'publickey-credentials-create=(self)',
  'publickey-credentials-get=(self)',
].join(', ');

/**
 * @param build of the console's files, which a page compares with its own; null where none is served
 */
export function answerHeaders(config: Config, build: string | null): MiddlewareHandler<AppEnv> {
  const overTls = config.SITE_URL.startsWith('https:');
  const documents = [...documentPolicy, ...(overTls ? ['upgrade-insecure-requests'] : [])].join('; ');
  // Browsers of other configured origins must be able to read the interfaces' answers.
  const resourcePolicy = config.CORS_ORIGINS.length > 0 ? 'cross-origin' : 'same-origin';
  const everywhere: Readonly<Record<string, string>> = {
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'X-Frame-Options': 'DENY',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Embedder-Policy': 'require-corp',
    ...(overTls ? { 'Strict-Transport-Security': 'max-age=63072000; includeSubDomains' } : {}),
  };
  const ofInterfaces: Readonly<Record<string, string>> = {
    ...everywhere,
    'Cross-Origin-Resource-Policy': resourcePolicy,
    'Content-Security-Policy': interfacePolicy,
    'Cache-Control': 'no-store',
    ...(build === null ? {} : { [buildHeader]: build }),
  };
  return async (c, next) => {
    const requestId = c.get('requestId');
    c.set('answerHeaders', { ...ofInterfaces, 'X-Request-Id': requestId });
    await next();
    if (c.get('answerHeadersIncluded')) return;
    const { headers } = c.res;
    const ofInterface = interfaces.test(c.req.path);
    for (const [name, value] of Object.entries(everywhere)) headers.set(name, value);
    headers.set('Cross-Origin-Resource-Policy', ofInterface ? resourcePolicy : 'same-origin');
    headers.set('X-Request-Id', requestId);
    if (build !== null && ofInterface) headers.set(buildHeader, build);
    const isDocument = headers.get('Content-Type')?.startsWith('text/html') ?? false;
    // What a page may use of the device; of other answers nobody asks.
    if (isDocument) headers.set('Permissions-Policy', permissions);
    if (!headers.has('Content-Security-Policy')) {
      headers.set('Content-Security-Policy', isDocument ? documents : interfacePolicy);
    }
    if (!headers.has('Cache-Control')) headers.set('Cache-Control', isDocument ? 'no-cache' : 'no-store');
  };
}
