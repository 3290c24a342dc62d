/** Allows cross-origin requests from SITE_URL and CORS_ORIGINS. The Supabase clients read the exposed headers. */
import type { MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import type { AppEnv } from './context.ts';
import type { Config } from '../config/settings.ts';

const exposed = [
  'Content-Range',
  'Content-Location',
  'Content-Profile',
  'Content-Type',
  'Link',
  'Location',
  'Preference-Applied',
  'Range-Unit',
  'Retry-After',
  'Server-Timing',
  'X-Request-Id',
  'X-Supabase-Api-Version',
  'X-Total-Count',
  'X-Build',
  'sb-error-code',
  'x-relay-error',
  'x-sb-error-code',
];

export function corsMiddleware(config: Config): MiddlewareHandler<AppEnv> {
  const allowed = new Set([new URL(config.SITE_URL).origin, ...config.CORS_ORIGINS]);
  const withOrigin = cors({
    origin: (origin) => (allowed.has(origin) ? origin : null),
    allowMethods: ['GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS', 'HEAD'],
    exposeHeaders: exposed,
    credentials: true,
    maxAge: 86_400,
  });
  return async (c, next) => {
    if (c.get('headers').has('origin') || c.req.method === 'OPTIONS') return withOrigin(c, next);
    await next();
    if (!c.get('responseHeadersApplied')) c.res.headers.append('Vary', 'Origin');
  };
}
