/** The server functions. Screens see answers and one error class, never the client's `{ data, error }`. */
import type * as functionsClient from '@supabase/functions-js';
import { authorizedFetch, backendUrl, currentSession } from './backend-auth.ts';
import { BackendError, fromErrorBody, unreadableMessage } from './backend-error.ts';

const fromFunctionError = async (error: unknown, client: typeof functionsClient): Promise<BackendError> => {
  if (error instanceof client.FunctionsFetchError) {
    return new BackendError({ kind: 'network', message: error.message, cause: error });
  }
  if (error instanceof client.FunctionsHttpError && error.context instanceof Response) {
    const answer = error.context;
    const body: unknown = await answer.json().catch(() => undefined);
    return fromErrorBody('function', answer.status, body, error.message);
  }
  return new BackendError({
    kind: 'function',
    message: error instanceof Error && error.message !== '' ? error.message : unreadableMessage,
    cause: error,
  });
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

/**
 * Calls a server function as the signed-in user. A refusal shows the body's own message where it
 * has one, else the client's sentence, which tells "not sent", "relay" and "refused" apart.
 * @throws BackendError; with message 'Not authenticated' when nobody is signed in.
 */
export const callFunction = async <Answer>(name: string, body: Record<string, unknown>): Promise<Answer> => {
  const session = await currentSession();
  if (session === null) throw new BackendError({ kind: 'auth', status: 401, message: 'Not authenticated' });
  const client = await loadFunctionsClient();
  const functions = new client.FunctionsClient(`${backendUrl}/functions/v1`, {
    customFetch: authorizedFetch,
  });
  const { data, error } = await functions.invoke<Answer>(name, {
    body,
    headers: { Authorization: `Bearer ${session.access_token}` },
  });
  if (error !== null) throw await fromFunctionError(error, client);
  if (typeof data !== 'object' || data === null) {
    throw new BackendError({ kind: 'shape', message: unreadableMessage });
  }
  return data;
};
