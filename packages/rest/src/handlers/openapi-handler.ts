/** Handles GET and HEAD of `/`: the OpenAPI document of the objects that are visible to the client. */
import type { PlainResponse } from '../rest-types.ts';
import { buildOpenApiDocument } from '../openapi/document.ts';
import { visibleObjectsQuery, type VisibleObjects } from '../openapi/visible-objects.ts';
import type { AuthenticatedRequest, HandlerContext } from './handler-context.ts';

const noObjects: VisibleObjects = { comment: null, relations: [], routines: [] };

/**
 * Responds with the OpenAPI document of a schema.
 *
 * @throws RestError 401, 403 for an inactive session; QueryError, DatabaseUnavailableError
 */
export async function handleOpenApi(
  context: HandlerContext,
  incoming: AuthenticatedRequest,
): Promise<PlainResponse> {
  const { request } = incoming;
  const { cache } = await context.checkContext(incoming);
  const { rows } = await context.run(incoming, true, visibleObjectsQuery(request.schema));
  const visible = rows[0]?.[0] ?? JSON.stringify(noObjects);
  // Roles that can see the same objects share one document.
  const key = `${request.schema} ${visible}`;
  const cached = context.openApiDocuments.get(key);
  const body =
    cached ??
    JSON.stringify(
      buildOpenApiDocument(cache, request.schema, JSON.parse(visible) as VisibleObjects, {
        name: context.apiName,
        url: context.apiUrl,
      }),
    );
  if (cached === undefined) context.openApiDocuments.set(key, body);
  const withoutBody = request.method === 'HEAD';
  return {
    status: 200,
    headers: {
      ...context.headers(incoming),
      ...(withoutBody ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }),
      'Content-Type': request.format.contentType,
    },
    body: withoutBody ? null : body,
  };
}
