/** Auth API requests with the headers of the published client. */
import { decodeJwt } from 'jose';
import type { AuthService } from '../../src/auth-service.ts';

export interface AuthResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** {} if the body is no JSON object. */
  readonly json: Record<string, unknown>;
}

interface AuthCall {
  readonly body?: unknown;
  /** Access token. Without it the publishable key is sent, as the client does. */
  readonly bearer?: string;
  /** null omits the version header. */
  readonly version?: string | null;
  readonly headers?: Record<string, string>;
}

export type AuthRequester = (method: string, path: string, call?: AuthCall) => Promise<AuthResponse>;

/** An API under test: the service of this package, or the complete server. */
export interface TestApi {
  readonly anonKey: string;
  request(path: string, init?: RequestInit): Promise<Response>;
}

export function createAuthRequester(test: TestApi): AuthRequester {
  return async (method, path, { body, bearer, version = '2024-01-01', headers = {} } = {}) => {
    const response = await test.request(`/auth/v1${path}`, {
      method,
      headers: {
        apikey: test.anonKey,
        Authorization: `Bearer ${bearer ?? test.anonKey}`,
        'Content-Type': 'application/json;charset=UTF-8',
        ...(version === null ? {} : { 'X-Supabase-Api-Version': version }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: parse(text) };
  };
}

/** Returns requests to an Auth API without the HTTP server around it, from a client with this IP address. */
export const createDirectRequester = (
  auth: Pick<AuthService, 'handle'>,
  anonKey: string,
  ip = '',
): AuthRequester =>
  createAuthRequester({
    anonKey,
    request: (path, init) =>
      auth.handle(new Request(`http://localhost${path}`, init), { ip, userAgent: null, requestId: 'test' }),
  });

function parse(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** Decodes the claims of the access token in a token response. */
export const decodeClaims = (session: Record<string, unknown>): Record<string, unknown> =>
  decodeJwt(String(session['access_token']));
