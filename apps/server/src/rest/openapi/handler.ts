/** GET and HEAD of `/`: what the caller may use of a schema. */
import type { PlainResponse } from '../plain-response.ts';
import { buildOpenApiDocument } from './document.ts';
import { visibleObjectsQuery, type VisibleObjects } from './visible-objects.ts';
import type { AuthenticatedRequest, HandlerContext } from '../handler-context.ts';

const nothing: VisibleObjects = { comment: null, relations: [], routines: [] };

/** @throws ApiError 401, 403 for a session that does not hold; QueryError, DatabaseUnavailableError */
export async function handleOpenApi(
  tools: HandlerContext,
  asked: AuthenticatedRequest,
): Promise<PlainResponse> {
  const { request } = asked;
  const { cache } = await tools.context(asked);
  const { rows } = await tools.run(asked, true, visibleObjectsQuery(request.schema));
  const visible = rows[0]?.[0] ?? JSON.stringify(nothing);
  // Equal sights of one catalog are one document; the roles that see the same share it.
  const key = `${request.schema} ${visible}`;
  const known = tools.descriptions.get(key);
  const body =
    known ??
    JSON.stringify(
      buildOpenApiDocument(cache, request.schema, JSON.parse(visible) as VisibleObjects, {
        name: tools.config.PRODUCT_NAME,
        url: new URL('/rest/v1/', tools.config.SITE_URL),
      }),
    );
  if (known === undefined) tools.descriptions.set(key, body);
  const bodiless = request.method === 'HEAD';
  return {
    status: 200,
    headers: {
      ...tools.headers(asked),
      ...(bodiless ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }),
      'Content-Type': request.format.contentType,
    },
    body: bodiless ? null : body,
  };
}
