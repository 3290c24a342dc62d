/** The data interface: `/rest/v1`. Knows no table by name; everything comes from the schema cache. */
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import type { Logger } from 'pino';
import type { Database } from '@lanternrock/postgres';
import type { AppEnv } from '../http/context.ts';
import type { Config } from '../config/settings.ts';
import { ApiError } from '../errors.ts';
import type { Authenticate, Principal } from '../principal.ts';
import { bodySizeLimit } from '../http/body-limit.ts';
import { toResponse } from './plain-response.ts';
import { parseRestRequest, type RequestRules } from './parse/rest-request.ts';
import { restErrorResponse } from './error-response.ts';
import { dispatchRequest } from './dispatch.ts';
import { HandlerContext } from './handler-context.ts';
import { SchemaCacheManager } from './schema/schema-cache-manager.ts';

export interface RestOptions {
  readonly database: Database;
  readonly config: Config;
  readonly authenticate: Authenticate;
  readonly log: Logger;
  readonly now: () => Date;
}

export interface RestService {
  /** Mounted at `/rest/v1`. */
  readonly routes: Hono<AppEnv>;
  /** Reads the catalog again, after tables changed. */
  reload(): Promise<void>;
}

/** Where the application mounts the routes; the contract fixes it. */
const mount = '/rest/v1';

export async function createRestService({
  database,
  config,
  authenticate,
  log,
  now,
}: RestOptions): Promise<RestService> {
  const holder = new SchemaCacheManager({ database, config, log, now });
  holder.onReload(() => database.discardPlans());
  await holder.start();
  const tools = new HandlerContext({ database, config, holder });
  const rules = (): RequestRules => ({
    schemas: config.EXPOSED_SCHEMAS,
    formats: { explain: config.PLAN, geoJson: (holder.current?.asGeoJson ?? null) !== null },
  });
  const routes = new Hono<AppEnv>();

  const tooLarge = new ApiError(413, '413', `The request body is larger than ${config.BODY_LIMIT} bytes`);
  routes.use(bodySizeLimit(config.BODY_LIMIT, (c) => toResponse(c, restErrorResponse(tooLarge, null, log))));
  routes.all('*', async (c) => {
    let identity: Principal | null = null;
    try {
      const headers = c.get('headers') ?? c.req.raw.headers;
      identity = await authenticate(headers);
      const { path, query } = splitUrl(c.req.url);
      const request = parseRestRequest(c.req.method, path, query, headers, rules());
      const answer = await dispatchRequest(tools, {
        request,
        identity,
        requestId: c.get('requestId') ?? '',
        readBody: () => c.req.arrayBuffer(),
        abandoned: (listener) => {
          const outgoing = (c.env as Partial<HttpBindings> | undefined)?.outgoing;
          if (outgoing?.destroyed) listener();
          outgoing?.once('close', listener);
          return () => outgoing?.off('close', listener);
        },
      });
      return toResponse(c, answer);
    } catch (error) {
      return toResponse(c, restErrorResponse(error, identity?.role ?? null, log));
    }
  });
  return { routes, reload: () => holder.reload() };
}

/** Path behind the mount point and query, both as they came. */
function splitUrl(url: string): { path: string; query: string } {
  const start = url.indexOf('/', url.indexOf('//') + 2);
  const question = url.indexOf('?', start);
  const whole = question < 0 ? url.slice(start) : url.slice(start, question);
  const path = whole.startsWith(mount) ? whole.slice(mount.length) : whole;
  return { path, query: question < 0 ? '' : url.slice(question + 1) };
}
