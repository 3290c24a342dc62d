/** Dispatches a Data API request to its handler. */
import { allowedMethods } from './allowed-methods.ts';
import type { PlainResponse } from './plain-response.ts';
import { handleRoutine } from './routine-handler.ts';
import { handleOpenApi } from './openapi/handler.ts';
import { handleRead } from './read-handler.ts';
import type { AuthenticatedRequest, HandlerContext } from './handler-context.ts';
import { handleWrite } from './write-handler.ts';

/**
 * Checks the privileges of the request and runs its handler.
 *
 * @throws ApiError, QueryError, DatabaseUnavailableError
 */
export async function dispatchRequest(
  context: HandlerContext,
  incoming: AuthenticatedRequest,
): Promise<PlainResponse> {
  const { method, call, name } = incoming.request;
  await context.requireRights(incoming);
  if (method === 'OPTIONS') {
    const allow = allowedMethods(await context.checkContext(incoming), incoming.request);
    return { status: 200, headers: { Allow: allow }, body: null };
  }
  if (call) return handleRoutine(context, incoming);
  if (name === '') return handleOpenApi(context, incoming);
  return method === 'GET' || method === 'HEAD'
    ? handleRead(context, incoming)
    : handleWrite(context, incoming, method);
}
