/**
 * Keys by which the service recognizes a repeated request. A browser sends a request again if a connection breaks before
 * the response, and a user presses Retry: both send the same key, and the service executes the request once.
 */
import { readingFunctions } from '@lanternrock/contract/reading-functions';
import { hasFeature } from './runtime-config.ts';

/** Keys of the requests that have not succeeded. */
const keys = new Map<string, string>();

/** Returns a random UUID. `crypto.randomUUID` needs HTTPS, and the console also runs on local networks without it. */
export const randomUuid = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
};

/** Returns true for a request of the Data API or the Functions API that changes something. */
const isChange = (url: string, method: string): boolean => {
  if (['GET', 'HEAD'].includes(method)) return false;
  const [, api, rest = ''] = /\/(rest|functions)\/v1\/(.*)$/.exec(url) ?? [];
  return api === 'rest' || (api === 'functions' && !readingFunctions.has(rest));
};

/** Returns the text that equal requests share; null for requests without a key. */
const requestText = (input: RequestInfo | URL, init: RequestInit = {}): string | null => {
  const { method = 'GET', body } = init;
  const url = String(input);
  if (!hasFeature('idempotency-keys') || !isChange(url, method)) return null;
  return `${method} ${url} ${typeof body === 'string' ? body : ''}`;
};

/** Sends the request with its key: a new one, or that of an equal request that has not succeeded. */
export const withIdempotencyKey = async (
  input: RequestInfo | URL,
  init: RequestInit | undefined,
  send: (init: RequestInit | undefined) => Promise<Response>,
): Promise<Response> => {
  const text = requestText(input, init);
  if (text === null) return send(init);
  const key = keys.get(text) ?? randomUuid();
  keys.set(text, key);
  const headers = new Headers(init?.headers);
  headers.set('Idempotency-Key', key);
  const response = await send({ ...init, headers });
  if (response.ok) keys.delete(text);
  return response;
};
