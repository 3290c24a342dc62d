/** Sends a data request to its handler. */
import { allowedMethods } from './allowed-methods.ts';
import type { Answer } from './answer.ts';
import { handleCall } from './call-handler.ts';
import { handleDescription } from './description/handler.ts';
import { handleRead } from './read-handler.ts';
import type { Asked, RequestTools } from './request-tools.ts';
import { handleWrite } from './write-handler.ts';

/** @throws Refusal, DatabaseFailure, DatabaseUnavailable */
export async function handleRequest(tools: RequestTools, asked: Asked): Promise<Answer> {
  const { method, call, name } = asked.request;
  await tools.requireRights(asked);
  if (method === 'OPTIONS') {
    const allow = allowedMethods(await tools.context(asked), asked.request);
    return { status: 200, headers: { Allow: allow }, body: null };
  }
  if (call) return handleCall(tools, asked);
  if (name === '') return handleDescription(tools, asked);
  return method === 'GET' || method === 'HEAD' ? handleRead(tools, asked) : handleWrite(tools, asked, method);
}
