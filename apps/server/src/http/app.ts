/** Puts the interfaces together: one address space, the same guards around every answer. */
import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { Logger } from 'pino';
import type { AppEnv } from './context.ts';
import type { Config } from '../config/settings.ts';
import { responseHeaders } from './response-headers.ts';
import { isClientAbort } from './client-abort.ts';
import { compressResponses } from './compress.ts';
import type { ConsoleFiles } from './console-files.ts';
import { corsMiddleware } from './cors.ts';
import { holdRejections } from './hold-rejections.ts';
import { requestContext } from './request-context.ts';

/** The parts that answer; `null` where this instance does not serve one. */
export interface AppOptions {
  readonly config: Config;
  readonly log: Logger;
  readonly health: Hono<AppEnv>;
  readonly metrics: Hono<AppEnv>;
  readonly rest: Hono<AppEnv>;
  readonly auth: Hono<AppEnv> | null;
  readonly functions: Hono<AppEnv> | null;
  readonly mailbox: Hono<AppEnv> | null;
  readonly console: ConsoleFiles | null;
}

const notFound = { code: 'not_found', error_code: 'not_found', message: 'There is nothing at this address' };

/** Where the interfaces live; only they answer browsers of other origins. */
const prefixes = ['/rest/v1', '/auth/v1', '/functions/v1'];

export function createApp(parts: AppOptions): Hono<AppEnv> {
  const { config, log } = parts;
  const app = new Hono<AppEnv>();
  app.use(requestContext(config, log));
  app.use(responseHeaders(config, parts.console?.build ?? null));
  app.onError((error, c) => {
    if (error instanceof HTTPException) return error.getResponse();
    if (isClientAbort(error)) log.debug({ requestId: c.get('requestId') }, 'client disconnected');
    else log.error({ err: error, requestId: c.get('requestId') }, 'request failed');
    return c.json(
      { code: 'unexpected_failure', message: 'Unexpected failure', request_id: c.get('requestId') },
      500,
    );
  });

  const interfaces = new Hono<AppEnv>();
  const otherOrigins = corsMiddleware(config);
  for (const prefix of prefixes) interfaces.use(`${prefix}/*`, otherOrigins);
  // Each interface limits the bodies that it takes itself, in the shape of its own errors.
  const hold = holdRejections(config);
  // The Auth API has limits of its own, and its tokens stay uncompressed: the length of a compressed response depends
  // on its secrets.
  for (const prefix of ['/rest/v1', '/functions/v1']) interfaces.use(`${prefix}/*`, hold, compressResponses);
  interfaces.route('/rest/v1', parts.rest);
  if (parts.auth) interfaces.route('/auth/v1', parts.auth);
  if (parts.functions) interfaces.route('/functions/v1', parts.functions);
  for (const prefix of prefixes) {
    interfaces.all(`${prefix}/*`, (c) => c.json(notFound, 404));
  }

  app.route('/', parts.health);
  app.route('/', parts.metrics);
  app.route('/', interfaces);
  if (parts.mailbox) app.route('/mailbox', parts.mailbox);
  if (parts.console) app.route('/', parts.console.routes);
  app.notFound((c) => c.json(notFound, 404));
  return app;
}
