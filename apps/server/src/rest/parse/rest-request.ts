/** An HTTP request as the data interface sees it, before any name is looked up. */
import type { RequestHeaders } from '../../principal.ts';
import { ApiError } from '../../errors.ts';
import { parseAccept, parseOpenApiAccept, type ResponseFormat, type OfferedFormats } from './media-types.ts';
import { parsePreferences, type Preferences } from './preferences.ts';
import { methods, type Method } from '../plan/query-types.ts';

export interface RestRequest {
  readonly method: Method;
  /** A relation or, for calls, a function; empty for the description of the schema. */
  readonly name: string;
  readonly call: boolean;
  readonly schema: string;
  /** True when the answer names its schema. */
  readonly schemaShown: boolean;
  /** Still encoded, without `?`. */
  readonly query: string;
  readonly preferences: Preferences;
  readonly format: ResponseFormat;
  readonly headers: RequestHeaders;
}

export interface RequestRules {
  readonly schemas: readonly string[];
  readonly formats: OfferedFormats;
}

const reads: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'] satisfies Method[]);

/**
 * @param path behind the mount point, still encoded, for example `/relation` or `/rpc/name`
 * @throws ApiError for paths, methods, schemas, forms and preferences outside the contract
 */
export function parseRestRequest(
  verb: string,
  path: string,
  query: string,
  headers: RequestHeaders,
  rules: RequestRules,
): RestRequest {
  const { name, call } = readPath(path);
  const method = methods.find((known) => known === verb);
  if (method === undefined || (name === '' && !reads.has(method))) {
    throw new ApiError(405, 'PGRST117', `Unsupported HTTP method: ${verb}`);
  }
  if (call && (method === 'PUT' || method === 'PATCH' || method === 'DELETE')) {
    throw new ApiError(405, 'PGRST101', `Cannot use the ${method} method on RPC`);
  }
  const profile = headers.get(reads.has(method) ? 'accept-profile' : 'content-profile');
  const schema = profile ?? rules.schemas[0] ?? 'public';
  if (!rules.schemas.includes(schema)) {
    throw new ApiError(406, 'PGRST106', `Invalid schema: ${schema}`, {
      hint: `Only the following schemas are exposed: ${rules.schemas.join(', ')}`,
    });
  }
  return {
    method,
    name,
    call,
    schema,
    schemaShown: profile !== null || rules.schemas.length > 1,
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
  const invalid = (): ApiError => new ApiError(404, 'PGRST125', 'Invalid path specified in request URL');
  if (path === '' || path === '/') return { name: '', call: false };
  const segments = path.slice(1).split('/');
  const call = segments[0] === 'rpc' && segments.length > 1;
  const [encoded, ...deeper] = call ? segments.slice(1) : segments;
  if (encoded === undefined || encoded === '' || deeper.length > 0) throw invalid();
  let name: string;
  try {
    name = decodeURIComponent(encoded);
  } catch {
    throw invalid();
  }
  // Names of the database hold neither of these.
  if (name.includes('\0') || name.includes('/')) throw invalid();
  return { name, call };
}
