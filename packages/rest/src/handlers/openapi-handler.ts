/** Handles GET and HEAD of `/`: the OpenAPI document of the objects that are visible to the client. */
import { LRUCache } from 'lru-cache';
import { buildOpenApiDocument, type OpenApiInfo } from '../openapi/document.ts';
import { visibleObjectsQuery, type VisibleObjects } from '../openapi/visible-objects.ts';
import { baseHeaders } from '../response/build-response.ts';
import type { PlainResponse } from '../rest-types.ts';
import type { AuthenticatedRequest, RequestRunner } from '../run/request-runner.ts';
import type { SchemaCacheManager } from '../schema/schema-cache-manager.ts';
import type { RestSettings } from '../settings.ts';

export interface OpenApiOptions {
  readonly settings: RestSettings;
  readonly schemaCache: SchemaCacheManager;
  readonly runner: RequestRunner;
  readonly api: OpenApiInfo;
}

const noObjects: VisibleObjects = { comment: null, relations: [], routines: [] };

/**
 * Returns the handler, which responds with the OpenAPI document of a schema.
 *
 * @throws RestError 401, 403 for an inactive session; QueryError, DatabaseUnavailableError
 */
export function createOpenApiHandler({ settings, schemaCache, runner, api }: OpenApiOptions) {
  /** Documents for the current schema cache. Roles that can see the same objects share one. */
  const documents = new LRUCache<string, string>({ max: 20 });
  schemaCache.onReload(() => documents.clear());
  return async (incoming: AuthenticatedRequest): Promise<PlainResponse> => {
    const { request } = incoming;
    const cache = await schemaCache.get();
    const { rows } = await runner.run(incoming, visibleObjectsQuery(request.schema), { readOnly: true });
    const visible = rows[0]?.[0] ?? JSON.stringify(noObjects);
    const key = `${request.schema} ${visible}`;
    let body = documents.get(key);
    if (body === undefined) {
      const objects = JSON.parse(visible) as VisibleObjects;
      body = JSON.stringify(buildOpenApiDocument(cache, request.schema, objects, api));
      documents.set(key, body);
    }
    const withoutBody = request.method === 'HEAD';
    return {
      status: 200,
      headers: {
        ...baseHeaders(request, settings),
        ...(withoutBody ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }),
        'Content-Type': request.format.contentType,
      },
      body: withoutBody ? null : body,
    };
  };
}
