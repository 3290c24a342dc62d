/**
 * Headers that every answer carries: security, the request's id, the running build. Which policy
 * applies follows from what the answer is. Answers of the data interface are made with them, all
 * others get them afterwards, which costs a second look at the answer.
 */
import { buildHeader } from '@lanternrock/contract/runtime';
import type { MiddlewareHandler } from 'hono';
import type { AppEnv } from './context.ts';
import type { Config } from '../config/settings.ts';

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

/** What a page may use of the device. */
const documentPermissions = [
  'camera=()',
  'microphone=()',
  'geolocation=()',
  'payment=()',
  'usb=()',
  'clipboard-write=(self)',
  'publickey-credentials-create=(self)',
  'publickey-credentials-get=(self)',
].join(', ');

/** No browser asks it of what is no page; a first page has a dozen such answers, and every byte of them counts. */
const otherPermissions = 'camera=()';

/** What answers of every kind have in common. */
const everywhere = (config: Config): Readonly<Record<string, string>> => ({
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  ...(isOverTls(config) ? { 'Strict-Transport-Security': 'max-age=63072000; includeSubDomains' } : {}),
});

/** What every answer of the interfaces carries, whatever it tells. */
export const apiHeaders = (config: Config): Readonly<Record<string, string>> => ({
  ...everywhere(config),
  'Cross-Origin-Resource-Policy': resourcePolicyOf(config),
  'Content-Security-Policy': interfacePolicy,
  'Permissions-Policy': otherPermissions,
  'Cache-Control': 'no-store',
});

const isOverTls = ({ SITE_URL }: Config): boolean => SITE_URL.startsWith('https:');

/** Browsers of other configured origins must be able to read the interfaces' answers. */
const resourcePolicyOf = ({ CORS_ORIGINS }: Config): string =>
  CORS_ORIGINS.length > 0 ? 'cross-origin' : 'same-origin';

/**
 * @param build of the console's files, which a page compares with its own; null where none is served
 */
export function responseHeaders(config: Config, build: string | null): MiddlewareHandler<AppEnv> {
  const documents = [...documentPolicy, ...(isOverTls(config) ? ['upgrade-insecure-requests'] : [])].join(
    '; ',
  );
  const resourcePolicy = resourcePolicyOf(config);
  const ofAll = everywhere(config);
  const ofInterfaces: Readonly<Record<string, string>> = {
    ...apiHeaders(config),
    ...(build === null ? {} : { [buildHeader]: build }),
  };
  return async (c, next) => {
    const requestId = c.get('requestId');
    c.set('responseHeaders', { ...ofInterfaces, 'X-Request-Id': requestId });
    await next();
    if (c.get('responseHeadersApplied')) return;
    const { headers } = c.res;
    const ofInterface = interfaces.test(c.req.path);
    for (const [name, value] of Object.entries(ofAll)) headers.set(name, value);
    headers.set('Cross-Origin-Resource-Policy', ofInterface ? resourcePolicy : 'same-origin');
    headers.set('X-Request-Id', requestId);
    if (build !== null && ofInterface) headers.set(buildHeader, build);
    const isDocument = headers.get('Content-Type')?.startsWith('text/html') ?? false;
    headers.set('Permissions-Policy', isDocument ? documentPermissions : otherPermissions);
    if (isDocument) headers.set('Cross-Origin-Embedder-Policy', 'require-corp');
    if (!headers.has('Content-Security-Policy')) {
      headers.set('Content-Security-Policy', isDocument ? documents : interfacePolicy);
    }
    if (!headers.has('Cache-Control')) headers.set('Cache-Control', isDocument ? 'no-cache' : 'no-store');
  };
}
