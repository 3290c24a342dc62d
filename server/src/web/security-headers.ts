/** Security headers of every answer; which set applies follows from what the answer is. */
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

export function securityHeaders(config: Config): MiddlewareHandler<AppEnv> {
  const overTls = config.SITE_URL.startsWith('https:');
  const documents = [...documentPolicy, ...(overTls ? ['upgrade-insecure-requests'] : [])].join('; ');
  const fixed: Record<string, string> = {
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'X-Frame-Options': 'DENY',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Embedder-Policy': 'require-corp',
    'Permissions-Policy': permissions,
    ...(overTls ? { 'Strict-Transport-Security': 'max-age=63072000; includeSubDomains' } : {}),
  };
  // Browsers of other configured origins must be able to read the interfaces' answers.
  const resourcePolicy = config.CORS_ORIGINS.length > 0 ? 'cross-origin' : 'same-origin';
  return async (c, next) => {
    await next();
    for (const [name, value] of Object.entries(fixed)) c.res.headers.set(name, value);
    c.res.headers.set('Cross-Origin-Resource-Policy', resourcePolicy);
    const isDocument = c.res.headers.get('Content-Type')?.startsWith('text/html') ?? false;
    if (!c.res.headers.has('Content-Security-Policy')) {
      c.res.headers.set('Content-Security-Policy', isDocument ? documents : interfacePolicy);
    }
    if (!c.res.headers.has('Cache-Control'))
      c.res.headers.set('Cache-Control', isDocument ? 'no-cache' : 'no-store');
  };
}
