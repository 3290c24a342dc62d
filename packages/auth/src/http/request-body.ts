/** Reads request bodies: JSON objects, whose fields are checked where they are used, and forms. */
import type { Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { jsonDepth } from '@lanternrock/postgres/json-depth';
import type { AuthEnv } from '../client-info.ts';
import { AuthError } from '../auth-error.ts';

/** Fields of a JSON body. `null` counts as absent, because clients send it for omitted values. */
export class RequestBody {
  readonly #fields: ReadonlyMap<string, unknown>;

  constructor(fields: object) {
    this.#fields = new Map(Object.entries(fields));
  }

  has(name: string): boolean {
    const value = this.#fields.get(name);
    return value !== undefined && value !== null;
  }

  /**
   * Returns '' if the field is absent.
   *
   * @throws AuthError 400 `validation_failed` if it is not a string
   */
  getString(name: string): string {
    const value = this.#fields.get(name);
    if (value === undefined || value === null) return '';
    if (typeof value !== 'string') throw invalid(`${name} must be a string`);
    return value;
  }

  /**
   * Returns null if the field is absent.
   *
   * @throws AuthError 400 `validation_failed` if it is not an array of strings
   */
  getStringArray(name: string): readonly string[] | null {
    const value = this.#fields.get(name);
    if (value === undefined || value === null) return null;
    const isList = Array.isArray(value) && value.every((item): item is string => typeof item === 'string');
    if (!isList) throw invalid(`${name} must be an array of strings`);
    return value;
  }

  getBoolean(name: string, fallback = false): boolean {
    const value = this.#fields.get(name);
    if (value === undefined || value === null) return fallback;
    if (typeof value !== 'boolean') throw invalid(`${name} must be a boolean`);
    return value;
  }

  /**
   * Returns null if the field is absent.
   *
   * @throws AuthError 400 `validation_failed` if it is not a JSON object
   */
  getObject(name: string): Record<string, unknown> | null {
    const value = this.#fields.get(name);
    if (value === undefined || value === null) return null;
    if (typeof value !== 'object' || Array.isArray(value)) throw invalid(`${name} must be an object`);
    return value as Record<string, unknown>;
  }
}

const invalid = (message: string): AuthError => new AuthError(400, 'validation_failed', message);

/** Limits the stack depth of code that traverses a body. */
const maxDepth = 32;

const json = 'application/json';
const form = 'application/x-www-form-urlencoded';

/** Returns the declared media type in lower case; '' without one. */
const mediaType = (c: Context<AuthEnv>): string =>
  (c.req.header('Content-Type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';

export const isForm = (c: Context<AuthEnv>): boolean => mediaType(c) === form;

/** @throws AuthError 413, 415 for another media type, 400 `bad_json` for anything but a JSON object */
export async function readJson(
  c: Context<AuthEnv>,
  maxBytes: number,
  { optional = false }: { readonly optional?: boolean } = {},
): Promise<RequestBody> {
  const bytes = await readBytes(c, maxBytes, json);
  if (optional && bytes.byteLength === 0) return new RequestBody({});
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('not an object');
    if (jsonDepth(text) > maxDepth) throw new Error('nested too deeply');
    return new RequestBody(value);
  } catch (error) {
    const reason =
      error instanceof SyntaxError ? 'invalid JSON' : error instanceof Error ? error.message : 'unreadable';
    throw new AuthError(400, 'bad_json', `Could not parse request body as JSON: ${reason}`);
  }
}

/** @throws AuthError 413, 415 for another media type */
export async function readForm(c: Context<AuthEnv>, maxBytes: number): Promise<URLSearchParams> {
  return new URLSearchParams(new TextDecoder().decode(await readBytes(c, maxBytes, form)));
}

/**
 * Returns the body. Its media type must be the expected one, because a page of another origin can post plain text and
 * forms without a preflight request. An empty body needs no media type.
 */
async function readBytes(c: Context<AuthEnv>, maxBytes: number, expected: string): Promise<ArrayBuffer> {
  const declared = mediaType(c);
  if (declared !== '' && declared !== expected && c.req.header('Content-Length') !== '0')
    throw mediaTypeError(expected);
  await limitSize(c, maxBytes);
  const bytes = await c.req.arrayBuffer();
  if (declared !== expected && bytes.byteLength > 0) throw mediaTypeError(expected);
  return bytes;
}

/** Checks a declared length only, which the HTTP parser enforces. Counts the bytes of a chunked body. */
async function limitSize(c: Context<AuthEnv>, maxSize: number): Promise<void> {
  const tooLarge = (): never => {
    throw new AuthError(413, 'request_entity_too_large', `The request body is larger than ${maxSize} bytes`);
  };
  const declared = c.req.header('Content-Length');
  if (declared === undefined || c.req.header('Transfer-Encoding') !== undefined)
    await bodyLimit({ maxSize, onError: tooLarge })(c, async () => {});
  else if (Number(declared) > maxSize) tooLarge();
}

const mediaTypeError = (expected: string): AuthError =>
  new AuthError(415, 'unsupported_media_type', `Send the request body as ${expected}`);
