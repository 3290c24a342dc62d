/** Serves the Data API at `/rest/v1`. */
import type { HttpBindings } from '@hono/node-server';
import { Hono, type Context } from 'hono';
import type { Logger } from 'pino';
import { RestError } from '@lanternrock/rest/errors';
import type { PlainResponse, RestRequest } from '@lanternrock/rest/types';
import type { RestService } from '@lanternrock/rest';
import { bodySizeLimit, isClientAbort } from './body-limit.ts';
import type { AppEnv } from './context.ts';
import { normalizeEmails } from './normalize-emails.ts';
import { readRequestOrigin } from './request-context.ts';

/** Path of the routes, fixed by the Supabase clients. */
const mountPath = '/rest/v1';

/**
 * Maximum length of a URL in characters, with the origin: 800 UUIDs of an `in` list. The HTTP parser accepts longer ones, so
 * that this error has a body and a CORS header.
 */
const maxUrlChars = 32_768;

/** @param maxBytes maximum size of a request body */
export function restRoutes(
  rest: Pick<RestService, 'handle' | 'buildErrorResponse'>,
  maxBytes: number,
  log: Logger,
): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  const tooLarge = new RestError(413, '413', `The request body is larger than ${maxBytes} bytes`);
  const urlTooLong = new RestError(414, '414', `The request URL is longer than ${maxUrlChars} characters`, {
    hint: 'Send several requests, each with a part of the list.',
  });
  routes.use(async (c, next) =>
    c.req.url.length > maxUrlChars ? toResponse(c, rest.buildErrorResponse(urlTooLong)) : next(),
  );
  routes.use(bodySizeLimit(maxBytes, (c) => toResponse(c, rest.buildErrorResponse(tooLarge))));
  routes.all('*', async (c) => toResponse(c, await rest.handle(readRequest(c, log))));
  return routes;
}

function readRequest(c: Context<AppEnv>, log: Logger): RestRequest {
  const requestId = c.get('requestId') ?? '';
  const headers = c.get('headers') ?? c.req.raw.headers;
  const { path, query } = splitUrl(c.req.url);
  return {
    method: c.req.method,
    path,
    query,
    headers,
    requestId,
    origin: readRequestOrigin(c),
    readBody: async () => {
      try {
        return normalizeEmails(path, headers.get('Content-Type'), await c.req.arrayBuffer());
      } catch (error) {
        if (!isClientAbort(error)) throw error;
        log.debug({ requestId }, 'client disconnected');
        throw new RestError(400, '400', 'The request body is incomplete', { cause: error });
      }
    },
    onClientAbort: (listener) => {
      const outgoing = (c.env as Partial<HttpBindings> | undefined)?.outgoing;
      if (outgoing?.destroyed) listener();
      outgoing?.once('close', listener);
      return () => outgoing?.off('close', listener);
    },
  };
}

/** Returns the path behind the mount path, and the query; both still encoded. */
function splitUrl(url: string): { path: string; query: string } {
  const pathStart = url.indexOf('/', url.indexOf('//') + 2);
  const queryStart = url.indexOf('?', pathStart);
  const fullPath = queryStart < 0 ? url.slice(pathStart) : url.slice(pathStart, queryStart);
  const path = fullPath.startsWith(mountPath) ? fullPath.slice(mountPath.length) : fullPath;
  return { path, query: queryStart < 0 ? '' : url.slice(queryStart + 1) };
}

/**
 * Converts to a `Response`. Passes all headers to the constructor: the Node.js adapter writes a plain record directly, and
 * rebuilds responses whose headers are modified later.
 */
function toResponse(c: Context<AppEnv>, { status, headers, body }: PlainResponse): Response {
  c.set('responseHeadersApplied', true);
  return new Response(body, { status, headers: { ...c.get('responseHeaders'), ...headers } });
}
