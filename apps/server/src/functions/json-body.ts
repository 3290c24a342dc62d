/** Reads the JSON body of a function call. */
import type { Context } from 'hono';
import type { AppEnv } from '../http/context.ts';
import { ApiError } from '../errors.ts';

/**
 * @throws ApiError 415 unsupported_media_type
 * @throws ApiError 400 bad_json, if the body is not a JSON object
 */
export async function readJsonBody(c: Context<AppEnv>): Promise<Readonly<Record<string, unknown>>> {
  const type = (c.req.header('Content-Type') ?? '').split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') {
    throw new ApiError(415, 'unsupported_media_type', 'Send the request as application/json.');
  }
  let body: unknown;
  try {
    body = await c.req.json();
  } catch (cause) {
    throw new ApiError(400, 'bad_json', 'The request body is not valid JSON.', { cause });
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new ApiError(400, 'bad_json', 'The request body must be a JSON object.');
  }
  return body as Record<string, unknown>;
}
