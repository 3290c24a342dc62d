/** Composes the APIs, the mailbox and the console to one HTTP application. */
import { Hono } from 'hono';
import type { Logger } from 'pino';
import type { AuthService } from '@lanternrock/auth';
import type { AppEnv } from './context.ts';
import type { Config } from '../config/settings.ts';
import { responseHeaders } from './response-headers.ts';
import { isClientAbort } from './body-limit.ts';
import { compressResponses } from './compress.ts';
import type { ConsoleFiles } from './console-files.ts';
import { corsMiddleware } from './cors.ts';
import { holdRejections } from './hold-rejections.ts';
import { readClientInfo, requestContext } from './request-context.ts';

/** What the application needs, and its routes. A route is null if this instance does not serve it. */
interface AppOptions {
  readonly config: Config;
  readonly log: Logger;
  readonly health: Hono<AppEnv>;
  readonly metrics: Hono<AppEnv>;
  readonly rest: Hono<AppEnv>;
  readonly auth: Pick<AuthService, 'handle'> | null;
  readonly functions: Hono<AppEnv> | null;
  readonly mailbox: Hono<AppEnv> | null;
  readonly console: ConsoleFiles | null;
}

const notFound = { code: 'not_found', error_code: 'not_found', message: 'Not found' };

/** URL prefixes of the APIs. Only these allow cross-origin requests. */
const apiPrefixes = ['/rest/v1', '/auth/v1', '/functions/v1'];

export function createApp(options: AppOptions): Hono<AppEnv> {
  const { config, log } = options;
  const app = new Hono<AppEnv>();
  app.use(requestContext(config, log));
  app.use(responseHeaders(config, options.console?.build ?? null));
  app.onError((error, c) => {
    if (isClientAbort(error)) log.debug({ requestId: c.get('requestId') }, 'client disconnected');
    else log.error({ err: error, requestId: c.get('requestId') }, 'request failed');
    return c.json(
      { code: 'unexpected_failure', message: 'Unexpected failure', request_id: c.get('requestId') },
      500,
    );
  });

  const apis = new Hono<AppEnv>();
  const cors = corsMiddleware(config);
  const delayRejections = holdRejections(config);
  for (const prefix of apiPrefixes) apis.use(`${prefix}/*`, cors, delayRejections);
  apis.route('/rest/v1', options.rest);
  const { auth } = options;
  if (auth) apis.all('/auth/v1/*', (c) => auth.handle(c.req.raw, readClientInfo(c)));
  if (options.functions) apis.route('/functions/v1', options.functions);
  for (const prefix of apiPrefixes) {
    apis.all(`${prefix}/*`, (c) => c.json(notFound, 404));
  }

  // The Auth API and the mailbox are left out: the length of a compressed response depends on the secrets in it (BREACH).
  for (const path of ['/rest/v1/*', '/functions/v1/*', '/metrics']) app.use(path, compressResponses);
  app.route('/', options.health);
  app.route('/', options.metrics);
  app.route('/', apis);
  if (options.mailbox) app.route('/mailbox', options.mailbox);
  if (options.console) app.route('/', options.console.routes);
  app.notFound((c) => c.json(notFound, 404));
  return app;
}
