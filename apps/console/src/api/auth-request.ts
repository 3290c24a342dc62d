/** Requests of endpoints of the Auth API for which the published client has no method, or which need no client. */
import { backendUrl } from './backend.ts';
import { fromErrorResponse, networkError, shapeError } from './errors.ts';
import { fetchWithSession } from './fetch-with-session.ts';

/**
 * Sends a request with the token of the session.
 *
 * @param path below `/auth/v1`
 * @returns the parsed JSON, or null for a 204 response
 * @throws ApiError if the request fails or the response is an error
 * @throws any other error of the browser, such as an AbortError
 */
export const requestAuth = async (path: string, init?: RequestInit): Promise<unknown> => {
  const response = await fetchWithSession(`${backendUrl}/auth/v1${path}`, init).catch((cause: unknown) => {
    // fetch rejects with a TypeError if no response arrives.
    throw cause instanceof TypeError ? networkError(cause) : cause;
  });
  if (response.status === 204) return null;
  if (!response.ok) throw await fromErrorResponse('auth', response);
  return response.json().catch(() => {
    throw shapeError(response.status);
  });
};
