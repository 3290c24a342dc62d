/** Parses an HTTP request of the Data API, without the schema cache. */
import type { HeaderReader, RestRequest } from '../rest-types.ts';
import { RestError } from '../errors.ts';
import { parseAccept, parseOpenApiAccept, type ResponseFormat, type OfferedFormats } from './media-types.ts';
import { parsePreferences, type Preferences } from './preferences.ts';
import { methods, type Method } from '../plan/query-types.ts';

export interface ParsedRequest {
  readonly method: Method;
  /** Name of the relation or, for calls, the function; empty for the OpenAPI document. */
  readonly name: string;
  readonly call: boolean;
  readonly schema: string;
  /** True if the response contains `Content-Profile`. */
  readonly hasProfile: boolean;
  /** Encoded query string without `?`. */
  readonly query: string;
  readonly preferences: Preferences;
  readonly format: ResponseFormat;
  readonly headers: HeaderReader;
}

export interface RequestRules {
  readonly schemas: readonly string[];
  readonly formats: OfferedFormats;
}

const reads: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'] satisfies Method[]);

/**
 * Parses the parts of a request that do not require the schema cache or the body.
 *
 * @throws RestError for unsupported paths, methods, schemas, media types and preferences
 */
export function parseRequest(
  { method: methodName, path, query, headers }: Pick<RestRequest, 'method' | 'path' | 'query' | 'headers'>,
  rules: RequestRules,
): ParsedRequest {
  const { name, call } = readPath(path);
  const method = methods.find((known) => known === methodName);
  if (method === undefined || (name === '' && !reads.has(method))) {
    throw new RestError(405, 'PGRST117', `Unsupported HTTP method: ${methodName}`);
  }
  if (call && (method === 'PUT' || method === 'PATCH' || method === 'DELETE')) {
    throw new RestError(405, 'PGRST101', `Cannot use the ${method} method on RPC`);
  }
  const profile = headers.get(reads.has(method) ? 'accept-profile' : 'content-profile');
  const schema = profile ?? rules.schemas[0] ?? 'public';
  if (!rules.schemas.includes(schema)) {
    throw new RestError(406, 'PGRST106', `Invalid schema: ${schema}`, {
      hint: `Only the following schemas are exposed: ${rules.schemas.join(', ')}`,
    });
  }
  return {
    method,
    name,
    call,
    schema,
    hasProfile: profile !== null || rules.schemas.length > 1,
    query,
    preferences: parsePreferences(headers.get('prefer')),
    format:
      name === ''
        ? parseOpenApiAccept(headers.get('accept'))
        : parseAccept(headers.get('accept'), rules.formats),
    headers,
  };
}

function readPath(path: string): { name: string; call: boolean } {
  const invalidPathError = (): RestError =>
    new RestError(404, 'PGRST125', 'Invalid path specified in request URL');
  if (path === '' || path === '/') return { name: '', call: false };
  const segments = path.slice(1).split('/');
  const call = segments[0] === 'rpc' && segments.length > 1;
  const [encoded, ...deeper] = call ? segments.slice(1) : segments;
  if (encoded === undefined || encoded === '' || deeper.length > 0) throw invalidPathError();
  let name: string;
  try {
    name = decodeURIComponent(encoded);
  } catch {
    throw invalidPathError();
  }
  // Names of relations and functions with these characters are not supported.
  if (name.includes('\0') || name.includes('/')) throw invalidPathError();
  return { name, call };
}
