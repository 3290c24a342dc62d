/** Sends a data request to its handler. */
import { allowedMethods } from './allowed-methods.ts';
import type { PlainResponse } from './plain-response.ts';
import { handleRoutine } from './routine-handler.ts';
import { handleOpenApi } from './openapi/handler.ts';
import { handleRead } from './read-handler.ts';
import type { AuthenticatedRequest, HandlerContext } from './handler-context.ts';
import { handleWrite } from './write-handler.ts';

/** @throws ApiError, QueryError, DatabaseUnavailableError */
export async function dispatchRequest(
  tools: HandlerContext,
  asked: AuthenticatedRequest,
): Promise<PlainResponse> {
  const { method, call, name } = asked.request;
  await tools.requireRights(asked);
  if (method === 'OPTIONS') {
    const allow = allowedMethods(await tools.context(asked), asked.request);
    return { status: 200, headers: { Allow: allow }, body: null };
  }
  if (call) return handleRoutine(tools, asked);
  if (name === '') return handleOpenApi(tools, asked);
  return method === 'GET' || method === 'HEAD' ? handleRead(tools, asked) : handleWrite(tools, asked, method);
}
