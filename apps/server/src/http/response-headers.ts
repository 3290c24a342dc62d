/**
 * Headers of all responses: security headers, request ID and build. The Data API creates its responses with them; all
 * other responses get them afterwards, which is slower.
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

/** Policy of API responses: no content may run, even if the response is opened in a tab. */
const apiPolicy = "default-src 'none'; frame-ancestors 'none'; sandbox";

/**
 * Scripts of web workers. A worker runs under the policy of its own response, and has to repeat that of the document. It may
 * import other scripts of the console: the reader of lists imports that of workbooks only when it needs it.
 */
const isWorkerPath = (path: string): boolean =>
  path.startsWith('/assets/') && path.includes('-worker-') && path.endsWith('.js');
const workerPolicy = "default-src 'none'; script-src 'self'; frame-ancestors 'none'";

const apiPath = /^\/(?:rest|auth|functions)\/v1(?:\/|$)/;

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

/** Browsers ignore this header on other resources. A short value keeps the first page load small. */
const otherPermissions = 'camera=()';

/** Headers of all responses. */
const commonHeaders = (config: Config): Readonly<Record<string, string>> => ({
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  ...(isOverTls(config) ? { 'Strict-Transport-Security': 'max-age=63072000; includeSubDomains' } : {}),
});

/** Returns the headers of all API responses. */
const apiHeaders = (config: Config): Readonly<Record<string, string>> => ({
  ...commonHeaders(config),
  'Cross-Origin-Resource-Policy': apiResourcePolicy(config),
  'Content-Security-Policy': apiPolicy,
  'Permissions-Policy': otherPermissions,
  'Cache-Control': 'no-store',
});

const isOverTls = ({ SITE_URL }: Config): boolean => SITE_URL.startsWith('https:');

/** Pages of CORS_ORIGINS must be able to read API responses. */
const apiResourcePolicy = ({ CORS_ORIGINS }: Config): string =>
  CORS_ORIGINS.length > 0 ? 'cross-origin' : 'same-origin';

/** @param build ID of the console build, which a page compares with its own; null without a console */
export function responseHeaders(config: Config, build: string | null): MiddlewareHandler<AppEnv> {
  const documents = [...documentPolicy, ...(isOverTls(config) ? ['upgrade-insecure-requests'] : [])].join(
    '; ',
  );
  const resourcePolicy = apiResourcePolicy(config);
  const common = commonHeaders(config);
  const apiResponseHeaders: Readonly<Record<string, string>> = {
    ...apiHeaders(config),
    ...(build === null ? {} : { [buildHeader]: build }),
  };
  return async (c, next) => {
    const requestId = c.get('requestId');
    c.set('responseHeaders', { ...apiResponseHeaders, 'X-Request-Id': requestId });
    await next();
    if (c.get('responseHeadersApplied')) return;
    const { headers } = c.res;
    const isApi = apiPath.test(c.req.path);
    for (const [name, value] of Object.entries(common)) headers.set(name, value);
    headers.set('Cross-Origin-Resource-Policy', isApi ? resourcePolicy : 'same-origin');
    // A cache repeats an immutable response for a year, also the ID of its request.
    if (!headers.get('Cache-Control')?.includes('immutable')) headers.set('X-Request-Id', requestId);
    if (build !== null && isApi) headers.set(buildHeader, build);
    const isDocument = headers.get('Content-Type')?.startsWith('text/html') ?? false;
    headers.set('Permissions-Policy', isDocument ? documentPermissions : otherPermissions);
    const isWorker = isWorkerPath(c.req.path);
    if (isDocument || isWorker) headers.set('Cross-Origin-Embedder-Policy', 'require-corp');
    if (!headers.has('Content-Security-Policy')) {
      headers.set('Content-Security-Policy', isDocument ? documents : isWorker ? workerPolicy : apiPolicy);
    }
    if (!headers.has('Cache-Control')) headers.set('Cache-Control', isDocument ? 'no-cache' : 'no-store');
  };
}
