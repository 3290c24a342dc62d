/** The Data API, `/rest/v1`. All table names come from the schema cache. */
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
  /** Reloads the schema cache. */
  reload(): Promise<void>;
}

/** Path of the routes, fixed by the Supabase clients. */
const mountPath = '/rest/v1';

/** Loads the schema cache and creates the routes. */
export async function createRestService({
  database,
  config,
  authenticate,
  log,
  now,
}: RestOptions): Promise<RestService> {
  const schemaCache = new SchemaCacheManager({ database, config, log, now });
  schemaCache.onReload(() => database.discardPlans());
  await schemaCache.start();
  const context = new HandlerContext({ database, config, schemaCache });
  const rules = (): RequestRules => ({
    schemas: config.EXPOSED_SCHEMAS,
    formats: { explain: config.PLAN, geoJson: (schemaCache.current?.asGeoJson ?? null) !== null },
  });
  const routes = new Hono<AppEnv>();

  const tooLargeError = new ApiError(
    413,
    '413',
    `The request body is larger than ${config.BODY_LIMIT} bytes`,
  );
  routes.use(
    bodySizeLimit(config.BODY_LIMIT, (c) => toResponse(c, restErrorResponse(tooLargeError, null, log))),
  );
  routes.all('*', async (c) => {
    let principal: Principal | null = null;
    try {
      const headers = c.get('headers') ?? c.req.raw.headers;
      principal = await authenticate(headers);
      const { path, query } = splitUrl(c.req.url);
      const request = parseRestRequest(c.req.method, path, query, headers, rules());
      const response = await dispatchRequest(context, {
        request,
        principal,
        requestId: c.get('requestId') ?? '',
        readBody: () => c.req.arrayBuffer(),
        onClientAbort: (listener) => {
          const outgoing = (c.env as Partial<HttpBindings> | undefined)?.outgoing;
          if (outgoing?.destroyed) listener();
          outgoing?.once('close', listener);
          return () => outgoing?.off('close', listener);
        },
      });
      return toResponse(c, response);
    } catch (error) {
      return toResponse(c, restErrorResponse(error, principal?.role ?? null, log));
    }
  });
  return { routes, reload: () => schemaCache.reload() };
}

/** Returns the path behind the mount path, and the query; both still encoded. */
function splitUrl(url: string): { path: string; query: string } {
  const pathStart = url.indexOf('/', url.indexOf('//') + 2);
  const queryStart = url.indexOf('?', pathStart);
  const fullPath = queryStart < 0 ? url.slice(pathStart) : url.slice(pathStart, queryStart);
  const path = fullPath.startsWith(mountPath) ? fullPath.slice(mountPath.length) : fullPath;
  return { path, query: queryStart < 0 ? '' : url.slice(queryStart + 1) };
}
