/**
 * The client of the Auth API, and the authorized `fetch` of the Data API and Functions API clients. Separate
 * from `rest-client.ts`, because the sign-in document does not load the Data API client.
 */
import { GoTrueClient, isAuthError, type Session } from '@supabase/auth-js';
import { buildHeader, consoleClientInfo } from '@lanternrock/contract/runtime';
import { createAuthFetch } from './auth-fetch.ts';
import {
  changeTimeoutMs,
  type Deadline,
  fetchWhole,
  readTimeoutMs,
  readWhole,
  timeoutError,
  timeoutFor,
  withDeadline,
} from './deadline.ts';
import {
  ApiError,
  fromAuthError,
  fromErrorBody,
  networkError,
  sentenceForStatus,
  unreadableMessage,
  withJsonError,
} from './errors.ts';
import { withIdempotencyKey } from './idempotency-keys.ts';
import { takePrefetchedResponse } from './prefetch.ts';
import { backendAddress, readRuntimeConfig } from './runtime-config.ts';
import { isStoredSession, parseStoredSession, sessionStorageKey } from './session-storage-key.ts';
import { isStorageFull, storageFullError } from './storage-full.ts';
import { notifyRequirementListeners, readSessionRequirement } from './session-requirement.ts';
import { withTimeout } from './with-timeout.ts';

export type { Factor, PasskeyListItem, Provider, Session, User, UserIdentity } from '@supabase/auth-js';

export const runtimeConfig = readRuntimeConfig();
export const backendUrl = backendAddress(runtimeConfig, location.origin);

const storageKey = sessionStorageKey(backendUrl);

/** Returns null also if local storage is blocked. */
const readText = (): string | null => {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    return null;
  }
};
const readStored = () => parseStoredSession(readText());

class AuthClient extends GoTrueClient {
  /** Makes the next call refresh the session. After a failure, the client does not try again for a minute. */
  forgetRefreshFailure(): void {
    this.lastRefreshFailure = null;
  }

  /** Makes a refresh that is still running discard its session. */
  discardRefresh(): void {
    this._sessionRemovalEpoch += 1;
    this.lastRefreshFailure = null;
  }
}

/** Milliseconds between a failed refresh and the next one. */
const refreshCooldownMs = 3000;
let refreshNotBefore = 0;
/** The last outage. It is known during the cooldown. */
let outage: ApiError | null = null;
const outageListeners = new Set<(error: ApiError) => void>();

/** Aborts when the user leaves the session. */
let leaving = new AbortController();

/** `detectSessionInUrl` is off because the callback page parses email links itself. */
export const auth = new AuthClient({
  url: `${backendUrl}/auth/v1`,
  storageKey,
  headers: {
    apikey: runtimeConfig.anonKey,
    Authorization: `Bearer ${runtimeConfig.anonKey}`,
    'X-Client-Info': consoleClientInfo,
  },
  detectSessionInUrl: false,
  flowType: 'implicit',
  persistSession: true,
  fetch: createAuthFetch({
    // The client would store the session of a response that arrives later.
    leavingSignal: () => leaving.signal,
    // The client keeps a session whose access token is still valid.
    onRefused: (refreshToken) => {
      if (readStored()?.refresh_token === refreshToken) endLocalSession({ revoke: false });
    },
    onFailed: (error) => {
      refreshNotBefore = performance.now() + refreshCooldownMs;
      outage = error;
      if (error !== null) for (const listener of outageListeners) listener(error);
    },
  }),
  autoRefreshToken: true,
  // The client enables recovery codes with this option only.
  experimental: { recoveryCodes: true },
});

const missingListeners = new Set<() => void>();

/**
 * Removes the session, its code verifiers or text that is no session from this browser, and waits for nothing. `signOut`
 * of the client waits for a running refresh, and would then end the session that is stored by that time.
 *
 * @param revoke true if the user leaves the session: the service is to end it too, if it can be reached, and running
 *   requests of the client are aborted
 */
export const endLocalSession = ({ revoke }: { revoke: boolean }): void => {
  if (revoke) {
    leaving.abort();
    leaving = new AbortController();
  }
  if (readText() === null) return;
  const stored = readStored();
  for (const key of Object.keys(localStorage))
    if (key === storageKey || key.startsWith(`${storageKey}-`)) localStorage.removeItem(key);
  auth.discardRefresh();
  // The message of the client to the other tabs.
  const tabs = new BroadcastChannel(storageKey);
  tabs.postMessage({ event: 'SIGNED_OUT', session: null });
  tabs.close();
  for (const listener of missingListeners) listener();
  if (revoke && stored !== null) void auth.admin.signOut(stored.access_token, 'local').catch(() => undefined);
};

/** Statuses of a session that has ended already. */
const endedStatuses: readonly unknown[] = [401, 403, 404];

/**
 * Ends all sessions of the user. The session stays stored.
 *
 * @throws ApiError if the service fails or cannot be reached
 */
export const endAllSessions = async (): Promise<void> => {
  const session = await getCurrentSession();
  if (session === null) return;
  const { error } = await auth.admin.signOut(session.access_token, 'global');
  if (error !== null && !endedStatuses.includes(error.status)) throw fromAuthError(error);
};

/** Calls `listener` when no session is stored any more. The auth client does not always emit an event for this. */
export const onMissingSession = (listener: () => void): (() => void) => {
  missingListeners.add(listener);
  return () => missingListeners.delete(listener);
};

/** Milliseconds until a refresh that goes on in the background counts as failed. */
const sessionTimeoutMs = 10_000;
/** The same while the service is known to be unreachable. */
const knownOutageMs = 500;

/** Rejects as soon as an outage is known, or with the time limit. */
const readSession = async (): ReturnType<typeof auth.getSession> => {
  const isCooldown = performance.now() < refreshNotBefore;
  if (!isCooldown) auth.forgetRefreshFailure();
  const known = isCooldown ? outage : null;
  let listener: (error: ApiError) => void = () => undefined;
  const failed = new Promise<never>((_, reject) => {
    listener = reject;
  });
  outageListeners.add(listener);
  try {
    const work = Promise.race([auth.getSession(), failed]);
    return await withTimeout(
      work,
      known === null ? sessionTimeoutMs : knownOutageMs,
      () => known ?? timeoutError(),
    );
  } finally {
    outageListeners.delete(listener);
  }
};

/**
 * Returns the stored session, refreshed if it is about to expire, or null if there is none.
 *
 * @throws ApiError if the service could not be reached to refresh it. The session is kept.
 */
export const getCurrentSession = async (): Promise<Session | null> => {
  const result = await readSession().catch((error: unknown) => ({ data: { session: null }, error }));
  const { session } = result.data;
  if (isStoredSession(session)) return session;
  if (result.error !== null) {
    const stored = readStored();
    // The client refreshes before the token expires, so it can still be valid.
    if (stored !== null && stored.expires_at * 1000 > Date.now()) return stored as Session;
    if (stored !== null) throw fromAuthError(result.error);
    // The browser failed, for example its storage: a session can be there.
    if (!isAuthError(result.error) && !(result.error instanceof ApiError)) throw result.error;
  }
  for (const listener of missingListeners) listener();
  return null;
};

/** Refreshes the session when the browser reports a connection, and does not wait for the next request. */
export const refreshWhenOnline = (): void =>
  addEventListener('online', () => {
    refreshNotBefore = 0;
    if (readStored() !== null) getCurrentSession().catch(() => undefined);
  });

let staleBuild = false;

/** Returns true if a response came from a different build of the console than this document. */
export const isStaleBuild = (): boolean => staleBuild;

const withKeys = (init: RequestInit | undefined, token: string): RequestInit => {
  const headers = new Headers(init?.headers);
  headers.set('apikey', runtimeConfig.anonKey);
  headers.set('Authorization', `Bearer ${token}`);
  headers.set('X-Client-Info', consoleClientInfo);
  return { ...init, headers };
};

/**
 * Refreshes the session also if it has not expired. Returns the new token, or null if the service has ended it.
 *
 * @throws ApiError if the service could not be reached
 */
const renewSession = async (): Promise<string | null> => {
  const { data, error } = await auth.refreshSession();
  if (error === null) return data.session?.access_token ?? null;
  const stored = await getCurrentSession();
  if (stored === null) return null;
  // Another tab has refreshed it, or the service did not respond.
  if (error.name === 'AuthRefreshDiscardedError') return stored.access_token;
  throw fromAuthError(error);
};

/** Returns the token for one retry after a 401, or null if there is none. */
const tokenForRetry = async (rejectedToken: string): Promise<string | null> => {
  const stored = await getCurrentSession();
  if (stored === null) return null;
  return stored.access_token === rejectedToken ? renewSession() : stored.access_token;
};

/**
 * Sends a request with the user's access token, or with the publishable key if no user is signed in. After a
 * 401 it refreshes the token and sends the request again: the service has not processed a request that it
 * rejected with 401. If the second attempt is rejected too, the session is removed from this browser. A 401
 * with a session requirement is returned unchanged, because the token is valid.
 *
 * @param fetchResponse sends each attempt
 * @throws ApiError if the session could not be refreshed; other errors of `fetch`
 */
export const fetchAuthorized = (
  deadline: Deadline,
  input: RequestInfo | URL,
  init: RequestInit | undefined,
  fetchResponse: typeof fetchWhole,
): Promise<Response> => {
  const send = (keyed: RequestInit | undefined, token: string): Promise<Response> =>
    fetchResponse(deadline, input, withKeys(keyed, token));
  return withIdempotencyKey(input, init, async (keyed) => {
    let token = (await getCurrentSession())?.access_token;
    const prefetched = await takePrefetchedResponse(input, init, token);
    const response =
      prefetched === null ? await send(keyed, token ?? runtimeConfig.anonKey) : await readWhole(prefetched);
    const final = await repeatWithNewToken(response, token, (newToken) => {
      token = newToken;
      return send(keyed, newToken);
    });
    return checkResponse(final, token);
  });
};

/** Like `fetchAuthorized`, with a time limit in milliseconds. The response is complete. */
export const authorizedFetch = (
  input: RequestInfo | URL,
  init?: RequestInit,
  timeoutMs = timeoutFor(init),
): Promise<Response> =>
  withDeadline(timeoutMs, init?.signal, (deadline) => fetchAuthorized(deadline, input, init, fetchWhole));

const repeatWithNewToken = async (
  response: Response,
  token: string | undefined,
  send: (token: string) => Promise<Response>,
): Promise<Response> => {
  if (response.status !== 401 || token === undefined) return response;
  if ((await readSessionRequirement(response)) !== undefined) return response;
  const retryToken = await tokenForRetry(token);
  if (retryToken === null) return response;
  const repeated = await send(retryToken);
  if (repeated.status === 401) endLocalSession({ revoke: false });
  return repeated;
};

const checkResponse = async (response: Response, token: string | undefined): Promise<Response> => {
  if (response.status === 403 && token !== undefined) await notifyRequirementListeners(response, token);
  const build = response.headers.get(buildHeader);
  if (build !== null && runtimeConfig.build !== '' && build !== runtimeConfig.build) staleBuild = true;
  return response;
};

/** Like `authorizedFetch`, but replaces an error body that is not a JSON object. For the Data API. */
export const dataFetch: typeof fetch = async (input, init) =>
  withJsonError(await authorizedFetch(input, init));

/**
 * Calls an endpoint of the Auth API for which the client has no method.
 *
 * @returns the parsed JSON, or null for a 204 response
 * @throws ApiError if the request fails or the response is an error
 * @throws any other error of the browser, such as an AbortError
 */
export const requestAuth = async (path: string, init?: RequestInit): Promise<unknown> => {
  const response = await authorizedFetch(`${backendUrl}/auth/v1${path}`, init).catch((cause: unknown) => {
    // fetch rejects with a TypeError if no response arrives.
    throw cause instanceof TypeError ? networkError(cause) : cause;
  });
  const { status } = response;
  if (status === 204) return null;
  const body: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw fromErrorBody('auth', status, body, sentenceForStatus(status));
  if (body === undefined) throw new ApiError({ kind: 'shape', status, message: unreadableMessage });
  return body;
};

/** Calls of the auth client, some of which replace the session. */
const runningCalls = new Set<Promise<unknown>>();

/**
 * Waits for the running calls of the auth client, and returns true if the session with this token is still stored. The
 * client stores the session of such a call when its response arrives, which can be after the service has counted it.
 */
export const isTokenStored = async (token: string): Promise<boolean> => {
  // A call can wait for the user, for example for a passkey.
  const settled = Promise.allSettled(runningCalls);
  await withTimeout(settled, changeTimeoutMs, timeoutError).catch(() => undefined);
  return readStored()?.access_token === token;
};

type AuthResponse<Data> = { data: Data; error: null } | { data: unknown; error: Error };

/**
 * Returns the data of a call of the auth client. It never settles after the user has left the session: its form is gone.
 *
 * @param readError converts the client's error. With it, there is no time limit: the call waits for the user.
 * @param timeoutMs time limit in milliseconds; the client can refresh the session before the request
 * @throws ApiError; without `readError` other errors of the browser unchanged
 */
export const unwrapAuth = async <Data>(
  call: Promise<AuthResponse<Data>>,
  readError?: (error: unknown) => ApiError,
  timeoutMs = changeTimeoutMs,
): Promise<NonNullable<Data>> => {
  const { signal } = leaving;
  const converted = call.catch((error: unknown) => {
    if (isStorageFull(error)) throw storageFullError(error);
    throw readError === undefined ? error : readError(error);
  });
  runningCalls.add(converted);
  void converted.catch(() => undefined).finally(() => runningCalls.delete(converted));
  try {
    const response = await (readError === undefined
      ? withTimeout(converted, timeoutMs, timeoutError)
      : converted);
    if (response.error !== null) throw (readError ?? fromAuthError)(response.error);
    // The client returns data whenever it returns no error. Calls without a result ignore it.
    return response.data as NonNullable<Data>;
  } finally {
    if (signal.aborted) await new Promise(() => undefined);
  }
};

/** Like `unwrapAuth`, for calls that only read. */
export const readAuth = <Data>(call: Promise<AuthResponse<Data>>): Promise<NonNullable<Data>> =>
  unwrapAuth(call, undefined, readTimeoutMs);

/** Refreshes the session, so that it holds the current user and assurance level. */
export const refreshSession = async (): Promise<void> => {
  await unwrapAuth(auth.refreshSession());
};
