/** The client of the Auth API, and its results. */
import { authClient } from './auth-client.ts';
import { requestAuth } from './auth-request.ts';
import { changeTimeoutMs, timeoutError, withTimeout } from './deadline.ts';
import { type ApiError, fromAuthError, isStorageFull, storageFullError } from './errors.ts';
import { leavingSignal } from './local-session.ts';
import { readStoredSession } from './stored-session.ts';

export type { Factor, PasskeyListItem, Provider, Session, User, UserIdentity } from '@supabase/auth-js';

/**
 * The methods of the client return an error in their result: call them with `unwrap`. `request` throws it, and returns the
 * parsed body.
 */
export const auth = Object.assign(authClient, { request: requestAuth });

/** Calls of the client, some of which replace the session. */
const runningCalls = new Set<Promise<unknown>>();

/**
 * Waits for the running calls of the client, and returns true if the session with this token is still stored. The
 * service can already reject this token while the response with its replacement is on the way to the client.
 */
export const isTokenStored = async (token: string): Promise<boolean> => {
  const settled = Promise.allSettled(runningCalls);
  // With a time limit, because a call can wait for the user, for example for a passkey.
  await withTimeout(settled, changeTimeoutMs, timeoutError).catch(() => undefined);
  return readStoredSession()?.access_token === token;
};

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
  runningCalls.add(converted);
  void converted.catch(() => undefined).finally(() => runningCalls.delete(converted));
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
