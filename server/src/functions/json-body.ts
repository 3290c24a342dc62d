/** Reads the JSON object that a function was called with. */
import type { Context } from 'hono';
import type { AppEnv } from '../app-env.ts';
import { Refusal } from '../errors.ts';

/** @throws Refusal 415 for another media type, 400 for anything but a JSON object. */
export async function jsonBody(c: Context<AppEnv>): Promise<Readonly<Record<string, unknown>>> {
  const type = (c.req.header('Content-Type') ?? '').split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') {
    throw new Refusal(415, 'unsupported_media_type', 'Send the request as application/json.');
  }
  let body: unknown;
  try {
    body = await c.req.json();
  } catch (cause) {
    throw new Refusal(400, 'bad_json', 'The request body is not valid JSON.', { cause });
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new Refusal(400, 'bad_json', 'The request body must be a JSON object.');
  }
  return body as Record<string, unknown>;
}
