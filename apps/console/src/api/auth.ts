/** Calls of the auth client, and their results. */
import { authClient } from './auth-client.ts';
import { changeTimeoutMs, timeoutError, withTimeout } from './deadline.ts';
import { backendUrl } from './backend.ts';
import {
  type ApiError,
  fromAuthError,
  fromErrorResponse,
  isStorageFull,
  networkError,
  shapeError,
  storageFullError,
} from './errors.ts';
import { fetchWithSession } from './fetch-with-session.ts';
import { leavingSignal } from './local-session.ts';
import { addRunningCall } from './running-calls.ts';

export type { Factor, PasskeyListItem, Provider, Session, User, UserIdentity } from '@supabase/auth-js';

/**
 * Calls an endpoint for which the published client has no method.
 *
 * @param path below `/auth/v1`
 * @returns the parsed JSON, or null for a 204 response
 * @throws ApiError if the request fails or the response is an error
 * @throws any other error of the browser, such as an AbortError
 */
const request = async (path: string, init?: RequestInit): Promise<unknown> => {
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

/**
 * The methods of the client return an error in their result: call them with `unwrap`. `request` throws it, and returns the
 * parsed body.
 */
export const auth = Object.assign(authClient, { request });

type AuthResponse<Data> = { data: Data; error: null } | { data: unknown; error: Error };

interface UnwrapOptions {
  /** Converts the client's error. With it, there is no time limit: the call waits for the user. */
  readonly toApiError?: (error: unknown) => ApiError;
  /** Time limit in milliseconds; the client can refresh the session before the request. The default is that of a change. */
  readonly timeoutMs?: number;
}

/**
 * Returns the data of a call of the client. It never settles after the user has left the session: its form is gone.
 *
 * @throws ApiError; without `toApiError` other errors of the browser unchanged
 */
export const unwrap = async <Data>(
  call: Promise<AuthResponse<Data>>,
  { toApiError, timeoutMs = changeTimeoutMs }: UnwrapOptions = {},
): Promise<NonNullable<Data>> => {
  const signal = leavingSignal();
  const converted = call.catch((error: unknown) => {
    if (isStorageFull(error)) throw storageFullError(error);
    throw toApiError === undefined ? error : toApiError(error);
  });
  addRunningCall(converted);
  try {
    const response = await (toApiError === undefined
      ? withTimeout(converted, timeoutMs, timeoutError)
      : converted);
    if (response.error !== null) throw (toApiError ?? fromAuthError)(response.error);
    // The client returns data whenever it returns no error. Calls without a result ignore it.
    return response.data as NonNullable<Data>;
  } finally {
    if (signal.aborted) await new Promise(() => undefined);
  }
};

/** Refreshes the session, so that it holds the current user and assurance level. */
export const refreshSession = async (): Promise<void> => {
  await unwrap(auth.refreshSession());
};
