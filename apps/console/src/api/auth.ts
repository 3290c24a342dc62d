/**
 * The client of the Auth API, and the authorized `fetch` of the Data API and Functions API clients. Separate
 * from `rest-client.ts`, because the sign-in document does not load the Data API client.
 */
import { GoTrueClient, type Session } from '@supabase/auth-js';
import { buildHeader, consoleClientInfo } from '@lanternrock/contract/runtime';
import {
  ApiError,
  fieldOf,
  fromAuthError,
  fromErrorBody,
  sentenceForStatus,
  unreachableMessage,
  unreadableMessage,
  withJsonError,
} from './errors.ts';
import { takePrefetchedResponse } from './prefetch.ts';
import { backendAddress, readRuntimeConfig } from './runtime-config.ts';
import { sessionStorageKey } from './session-storage-key.ts';

export type { Factor, PasskeyListItem, Provider, Session, User, UserIdentity } from '@supabase/auth-js';

export const runtimeConfig = readRuntimeConfig();
export const backendUrl = backendAddress(runtimeConfig, location.origin);

const storageKey = sessionStorageKey(backendUrl);

/** Removes an invalid stored session. The auth client ignores text that it cannot parse, but keeps it. */
export const clearInvalidSession = (): void => {
  try {
    localStorage.removeItem(storageKey);
  } catch {
    // Local storage is blocked, so it contains no session.
  }
};

/** `detectSessionInUrl` is off because the callback page parses email links itself. */
export const auth = new GoTrueClient({
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
  fetch: async (input, init) => withJsonError(await fetch(input, init)),
  autoRefreshToken: true,
  // The client enables recovery codes with this option only.
  experimental: { recoveryCodes: true },
});

const missingListeners = new Set<() => void>();

/** Calls `listener` when a request finds no stored session. The auth client emits no event for this. */
export const onMissingSession = (listener: () => void): (() => void) => {
  missingListeners.add(listener);
  return () => missingListeners.delete(listener);
};

/** Returns the stored session, refreshed if it is about to expire, or null if there is none. */
export const getCurrentSession = async (): Promise<Session | null> => {
  const { data, error } = await auth.getSession();
  // After an error, a session may still be stored: it could not be refreshed.
  if (data.session === null && error === null) for (const listener of missingListeners) listener();
  return data.session;
};

/** A step that the service requires before it accepts other requests of the session. */
export type SessionRequirement = 'password_not_set' | 'insufficient_aal';
const sessionRequirements: readonly string[] = [
  'password_not_set',
  'insufficient_aal',
] satisfies SessionRequirement[];
const isSessionRequirement = (code: unknown): code is SessionRequirement =>
  typeof code === 'string' && sessionRequirements.includes(code);

const requirementListeners = new Set<(requirement: SessionRequirement) => void>();

/** Calls `listener` when the service rejects a request because of a session requirement. */
export const onSessionRequirement = (listener: (requirement: SessionRequirement) => void): (() => void) => {
  requirementListeners.add(listener);
  return () => requirementListeners.delete(listener);
};

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

let pendingRemoval: Promise<unknown> | null = null;

/**
 * Removes a session that the service no longer accepts from this browser. Concurrent calls share one removal.
 */
const removeSession = async (): Promise<null> => {
  pendingRemoval ??= auth.signOut({ scope: 'local' }).finally(() => {
    pendingRemoval = null;
  });
  await pendingRemoval;
  return null;
};

/** Refreshes the session, or removes it if the service rejects that. Returns the new token, or null if there is none. */
export const renewSession = async (): Promise<string | null> => {
  const { data, error } = await auth.refreshSession();
  if (error === null) return data.session?.access_token ?? null;
  // The client keeps a session that has not expired by its clock, even if the service rejects the refresh.
  const isRejected = (error.status ?? 0) >= 400 && (error.status ?? 0) < 500;
  return isRejected ? removeSession() : null;
};

/** Returns the token for one retry after a 401, or null if there is none. */
const tokenForRetry = async (rejectedToken: string): Promise<string | null> => {
  const stored = await getCurrentSession();
  if (stored === null) return null;
  return stored.access_token === rejectedToken ? renewSession() : stored.access_token;
};

/**
 * Returns the session requirement in an error response, if any. The Auth API sends the HTTP status as `code`
 * and the error code as `error_code`.
 */
const readSessionRequirement = async (response: Response): Promise<SessionRequirement | undefined> => {
  try {
    const body: unknown = await response.clone().json();
    return [fieldOf(body, 'code'), fieldOf(body, 'error_code')].find(isSessionRequirement);
  } catch {
    // The body is not JSON, so a proxy sent it. The caller handles the response.
    return undefined;
  }
};

const notifyRequirementListeners = async (response: Response): Promise<void> => {
  const requirement = await readSessionRequirement(response);
  if (requirement !== undefined) for (const listener of requirementListeners) listener(requirement);
};

/**
 * Sends a request with the user's access token, or with the publishable key if no user is signed in. After a
 * 401 it refreshes the token and sends the request again: the service has not processed a request that it
 * rejected with 401. If the second attempt is rejected too, the session is removed from this browser. A 401
 * with a session requirement is returned unchanged, because the token is valid.
 */
export const authorizedFetch: typeof fetch = async (input, init) => {
  const token = (await getCurrentSession())?.access_token;
  let response =
    (await takePrefetchedResponse(input, init, token)) ??
    (await fetch(input, withKeys(init, token ?? runtimeConfig.anonKey)));
  if (
    response.status === 401 &&
    token !== undefined &&
    (await readSessionRequirement(response)) === undefined
  ) {
    const retryToken = await tokenForRetry(token);
    if (retryToken !== null) {
      response = await fetch(input, withKeys(init, retryToken));
      if (response.status === 401) await removeSession();
    }
  }
  if (response.status === 403) await notifyRequirementListeners(response);
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
  let response: Response;
  try {
    response = await authorizedFetch(`${backendUrl}/auth/v1${path}`, init);
  } catch (cause) {
    // fetch rejects with a TypeError if no response arrives.
    if (!(cause instanceof TypeError)) throw cause;
    throw new ApiError({ kind: 'network', message: unreachableMessage, cause });
  }
  const { status } = response;
  if (status === 204) return null;
  const body: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw fromErrorBody('auth', status, body, sentenceForStatus(status));
  if (body === undefined) throw new ApiError({ kind: 'shape', status, message: unreadableMessage });
  return body;
};

type AuthResponse<Data> = { data: Data; error: null } | { data: unknown; error: Error };

/**
 * Returns the data of a call of the auth client.
 *
 * @param readError converts the client's error
 * @throws ApiError
 */
export const unwrapAuth = async <Data>(
  call: Promise<AuthResponse<Data>>,
  readError: (error: unknown) => ApiError = fromAuthError,
): Promise<NonNullable<Data>> => {
  let response: AuthResponse<Data>;
  try {
    response = await call;
  } catch (error) {
    throw readError(error);
  }
  if (response.error !== null) throw readError(response.error);
  // The client returns data whenever it returns no error. Calls without a result ignore it.
  return response.data as NonNullable<Data>;
};

/** Refreshes the session, so that it holds the current user and assurance level. */
export const refreshSession = async (): Promise<void> => {
  await unwrapAuth(auth.refreshSession());
};
