/** Calls of the Functions API. They return the response body or throw `ApiError`. */
import { isReadingFunction } from '@lanternrock/contract/functions';
import type * as functionsClient from '@supabase/functions-js';
import { authorizedFetch, backendUrl, getCurrentSession } from './auth.ts';
import { readTimeoutMs, timeoutFor, withDeadline } from './deadline.ts';
import {
  ApiError,
  fromErrorBody,
  networkError,
  timeoutCode,
  unreachableMessage,
  unreadableMessage,
} from './errors.ts';
import { fieldOf } from './json.ts';

const fromFunctionError = async (error: unknown, client: typeof functionsClient): Promise<ApiError> => {
  if (error instanceof client.FunctionsFetchError) {
    return networkError(error.context, error.message);
  }
  if (error instanceof client.FunctionsHttpError && error.context instanceof Response) {
    const response = error.context;
    const body: unknown = await response.json().catch(() => undefined);
    return fromErrorBody('function', response.status, body, error.message);
  }
  const message = error instanceof client.FunctionsRelayError ? error.message : unreadableMessage;
  return new ApiError({ kind: 'function', message, cause: error });
};

/** Loads the client on demand: no first read uses it, so it is not in the initial bundle. */
const loadFunctionsClient = async (): Promise<typeof functionsClient> => {
  try {
    return await import('@supabase/functions-js');
  } catch (cause) {
    // The message that the client uses for a request that could not be sent.
    throw new ApiError({
      kind: 'network',
      message: 'Failed to send a request to the Edge Function',
      cause,
    });
  }
};

/** Replaces the body of a successful response by `null` if it is not JSON. The client would throw on it. */
const fetchJson: typeof fetch = async (input, init) => {
  const response = await authorizedFetch(input, init);
  if (!response.ok) return response;
  const text = await response.text();
  const headers = new Headers(response.headers);
  headers.set('Content-Type', 'application/json');
  try {
    JSON.parse(text);
    return new Response(text, { headers });
  } catch {
    return new Response('null', { headers });
  }
};

/**
 * Calls a function as the signed-in user.
 *
 * @returns the parsed body of a successful response, or null if it is not JSON
 * @throws ApiError with the message of the body, else with the message of the client, which differs for
 *   requests that were not sent, relay errors and error responses
 * @throws ApiError if a successful response has an `error` field. `success: false` is not an error: it
 *   means that only the email failed.
 * @throws ApiError 401 `Not authenticated` without a session, and of the kind `network` if it could not be refreshed
 */
export const invokeFunction = (
  name: string,
  body: Record<string, unknown>,
  signal?: AbortSignal,
): Promise<unknown> => {
  const changeTimeoutMs = timeoutFor({ method: 'POST', body: JSON.stringify(body) });
  return withDeadline(isReadingFunction(name) ? readTimeoutMs : changeTimeoutMs, signal, (deadline) =>
    invoke(name, body, deadline.signal),
  );
};

const invoke = async (name: string, body: Record<string, unknown>, signal: AbortSignal): Promise<unknown> => {
  const session = await getCurrentSession();
  if (session === null) throw new ApiError({ kind: 'auth', status: 401, message: 'Not authenticated' });
  const client = await loadFunctionsClient();
  const functions = new client.FunctionsClient(`${backendUrl}/functions/v1`, {
    customFetch: fetchJson,
  });
  const { data, error } = await functions.invoke<unknown>(name, {
    body,
    headers: { Authorization: `Bearer ${session.access_token}` },
    signal,
  });
  if (error !== null) throw await fromFunctionError(error, client);
  if (Boolean(fieldOf(data, 'error')) && fieldOf(data, 'success') !== false) {
    throw fromErrorBody('function', 200, data, 'The function reported an error.');
  }
  return data;
};

/**
 * Calls a function that returns a JSON object.
 *
 * @throws ApiError as `invokeFunction`, but with the message of the other APIs for a request that was not sent
 */
export const callFunction = async <Body>(
  name: string,
  body: Record<string, unknown>,
  signal?: AbortSignal,
): Promise<Body> => {
  const data = await invokeFunction(name, body, signal).catch((error: unknown) => {
    if (!(error instanceof ApiError && error.kind === 'network')) throw error;
    throw error.code === timeoutCode
      ? error
      : new ApiError({ kind: 'network', message: unreachableMessage, cause: error });
  });
  if (typeof data === 'object' && data !== null) return data as Body;
  throw new ApiError({ kind: 'shape', message: unreadableMessage });
};
