/** The server functions. Screens see answers and one error class, never the client's `{ data, error }`. */
import type * as functionsClient from '@supabase/functions-js';
import { authorizedFetch, backendUrl, getCurrentSession } from './auth.ts';
import { BackendError, fieldOf, fromErrorBody, unreadableMessage } from './errors.ts';

const fromFunctionError = async (error: unknown, client: typeof functionsClient): Promise<BackendError> => {
  if (error instanceof client.FunctionsFetchError) {
    return new BackendError({ kind: 'network', message: error.message, cause: error });
  }
  if (error instanceof client.FunctionsHttpError && error.context instanceof Response) {
    const answer = error.context;
    const body: unknown = await answer.json().catch(() => undefined);
    return fromErrorBody('function', answer.status, body, error.message);
  }
  const message = error instanceof client.FunctionsRelayError ? error.message : unreadableMessage;
  return new BackendError({ kind: 'function', message, cause: error });
};

/** Only acts need it, so the first page does not. */
const loadFunctionsClient = async (): Promise<typeof functionsClient> => {
  try {
    return await import('@supabase/functions-js');
  } catch (cause) {
    // The words of the client itself for a request that could not be sent.
    throw new BackendError({
      kind: 'network',
      message: 'Failed to send a request to the Edge Function',
      cause,
    });
  }
};

/** A success is a success in any format, so that the client never fails to read it: other bodies become null. */
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
 * Calls a server function as the signed-in user. A rejection shows the message of the body, else the
 * sentence of the client, which distinguishes "not sent", "relay" and "rejected".
 *
 * @returns the parsed body of a success in any shape; null if it is not JSON.
 * @throws BackendError, also for a success that carries an `error`; with message 'Not authenticated'
 *   without a session. `success: false` is no error: it says that only the email failed.
 */
export const invokeFunction = async (name: string, body: Record<string, unknown>): Promise<unknown> => {
  const session = await getCurrentSession();
  if (session === null) throw new BackendError({ kind: 'auth', status: 401, message: 'Not authenticated' });
  const client = await loadFunctionsClient();
  const functions = new client.FunctionsClient(`${backendUrl}/functions/v1`, {
    customFetch: fetchJson,
  });
  const { data, error } = await functions.invoke<unknown>(name, {
    body,
    headers: { Authorization: `Bearer ${session.access_token}` },
  });
  if (error !== null) throw await fromFunctionError(error, client);
  if (Boolean(fieldOf(data, 'error')) && fieldOf(data, 'success') !== false) {
    throw fromErrorBody('function', 200, data, 'The function reported an error.');
  }
  return data;
};

/** Calls a function of our own service, whose success is an object. @throws BackendError */
export const callFunction = async <Answer>(name: string, body: Record<string, unknown>): Promise<Answer> => {
  const data = await invokeFunction(name, body);
  if (typeof data === 'object' && data !== null) return data as Answer;
  throw new BackendError({ kind: 'shape', message: unreadableMessage });
};
