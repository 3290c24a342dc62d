/** Handles GET and HEAD of `/`: the OpenAPI document of the objects that are visible to the client. */
import { LRUCache } from 'lru-cache';
import { buildOpenApiDocument, type OpenApiInfo } from '../openapi/document.ts';
import { assumedRoleQuery, visibleObjectsQuery, type VisibleObjects } from '../openapi/visible-objects.ts';
import { buildBaseHeaders } from '../response/build-response.ts';
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
  /** Documents by schema cache, schema and role: the catalog query takes as long as many small reads. */
  const documents = new LRUCache<string, string>({ max: 20 });

  const loadDocument = async (incoming: AuthenticatedRequest): Promise<string> => {
    const { schema } = incoming.request;
    const cache = await schemaCache.get();
    const { rows } = await runner.run(incoming, visibleObjectsQuery(schema), { readOnly: true });
    const visible = rows[0]?.[0];
    const objects = visible ? (JSON.parse(visible) as VisibleObjects) : noObjects;
    return JSON.stringify(buildOpenApiDocument(cache, schema, objects, api));
  };

  /** Returns the role that a request assumes. The role of a user can only be determined in SQL, with its session. */
  const assumedRole = async (incoming: AuthenticatedRequest): Promise<string> => {
    const { role, userId } = incoming.principal;
    if (userId === null) return role;
    const { rows } = await runner.run(incoming, assumedRoleQuery, { readOnly: true });
    return rows[0]?.[0] ?? role;
  };

  return async (incoming: AuthenticatedRequest): Promise<PlainResponse> => {
    const { request } = incoming;
    // The number of loads is part of the key: comments are in no other part of the schema cache.
    const key = JSON.stringify([schemaCache.loads, request.schema, await assumedRole(incoming)]);
    let body = documents.get(key);
    if (body === undefined) {
      body = await loadDocument(incoming);
      documents.set(key, body);
    }
    const withoutBody = request.method === 'HEAD';
    return {
      status: 200,
      headers: {
        ...buildBaseHeaders(request, settings),
        ...(withoutBody ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }),
        'Content-Type': request.format.contentType,
      },
      body: withoutBody ? null : body,
    };
  };
}
