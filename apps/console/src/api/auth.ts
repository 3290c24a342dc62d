/**
 * The auth service, and the fetch with which the other two clients speak. Apart from `backend.ts`,
 * because the sign-in document needs nothing but this.
 */
import { GoTrueClient, type Session } from '@supabase/auth-js';
import { buildHeader } from '@lanternrock/contract/runtime';
import {
  BackendError,
  fieldOf,
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

/** Removes what is stored in a session's place and is none: the client overlooks text it cannot read. */
export const clearInvalidSession = (): void => {
  try {
    localStorage.removeItem(storageKey);
  } catch {
    // Blocked storage holds nothing either.
  }
};

/** Links are read by the callback page itself, so the client never looks at the address bar. */
export const auth = new GoTrueClient({
  url: `${backendUrl}/auth/v1`,
  storageKey,
  headers: { apikey: runtimeConfig.anonKey, Authorization: `Bearer ${runtimeConfig.anonKey}` },
  detectSessionInUrl: false,
  flowType: 'implicit',
  persistSession: true,
  fetch: async (input, init) => withJsonError(await fetch(input, init)),
  autoRefreshToken: true,
  // The client keeps recovery codes behind this switch.
  experimental: { recoveryCodes: true },
});

const missingListeners = new Set<() => void>();

/** Calls `listener` whenever a call finds that no session is stored; the client tells of no such thing. */
export const onMissingSession = (listener: () => void): (() => void) => {
  missingListeners.add(listener);
  return () => missingListeners.delete(listener);
};

/** The stored session, refreshed when it is about to run out; null without one. */
export const getCurrentSession = async (): Promise<Session | null> => {
  const { data, error } = await auth.getSession();
  // With an error there may be one, which could not be refreshed right now.
  if (data.session === null && error === null) for (const listener of missingListeners) listener();
  return data.session;
};

/** What the service asks of a session before it answers anything else. */
export type SessionRequirement = 'password_not_set' | 'insufficient_aal';
const gates: readonly string[] = ['password_not_set', 'insufficient_aal'] satisfies SessionRequirement[];
const isGate = (code: unknown): code is SessionRequirement =>
  typeof code === 'string' && gates.includes(code);

const gateListeners = new Set<(gate: SessionRequirement) => void>();

/** Calls `listener` whenever a call is refused until the session has done something first. */
export const onSessionRequirement = (listener: (gate: SessionRequirement) => void): (() => void) => {
  gateListeners.add(listener);
  return () => gateListeners.delete(listener);
};

let staleBuild = false;

/** True once the server has answered from another build than the one that runs here. */
export const isStaleBuild = (): boolean => staleBuild;

const withKeys = (init: RequestInit | undefined, token: string): RequestInit => {
  const headers = new Headers(init?.headers);
  headers.set('apikey', runtimeConfig.anonKey);
  headers.set('Authorization', `Bearer ${token}`);
  return { ...init, headers };
};

let ending: Promise<unknown> | null = null;

/** The service knows this session no longer: it goes from this browser too. Once, however many calls failed. */
const endSession = async (): Promise<null> => {
  ending ??= auth.signOut({ scope: 'local' }).finally(() => {
    ending = null;
  });
  await ending;
  return null;
};

/** After a 401: the token to try once more with, or null when there is none. */
const tokenAfterRefusal = async (refused: string): Promise<string | null> => {
  const stored = await getCurrentSession();
  if (stored === null) return null;
  if (stored.access_token !== refused) return stored.access_token;
  const { data, error } = await auth.refreshSession();
  if (error === null) return data.session?.access_token ?? null;
  // The client keeps a session whose clock says it holds, even when the service refuses to renew it.
  const isRefusal = (error.status ?? 0) >= 400 && (error.status ?? 0) < 500;
  return isRefusal ? endSession() : null;
};

/** Returns the gate that a response names, if any. The Auth API writes its status as `code`, and the code beside it. */
const gateIn = async (response: Response): Promise<SessionRequirement | undefined> => {
  try {
    const body: unknown = await response.clone().json();
    return [fieldOf(body, 'code'), fieldOf(body, 'error_code')].find(isGate);
  } catch {
    // Not JSON, so not a response of our service: the caller sees it as it is.
    return undefined;
  }
};

const notifyGateListeners = async (response: Response): Promise<void> => {
  const gate = await gateIn(response);
  if (gate !== undefined) for (const listener of gateListeners) listener(gate);
};

/**
 * Sends a request with the user's token, or with the public key when no user is signed in (specification
 * section 6). A rejected token is refreshed and the request is sent once more, because the service has not
 * acted on it. If that is rejected too, the session ends in this browser. A 401 that asks for the second
 * factor is returned as it is: the token is valid.
 */
export const authorizedFetch: typeof fetch = async (input, init) => {
  const token = (await getCurrentSession())?.access_token;
  let answer =
    (await takePrefetchedResponse(input, init, token)) ??
    (await fetch(input, withKeys(init, token ?? runtimeConfig.anonKey)));
  if (answer.status === 401 && token !== undefined && (await gateIn(answer)) === undefined) {
    const fresh = await tokenAfterRefusal(token);
    if (fresh !== null) {
      answer = await fetch(input, withKeys(init, fresh));
      if (answer.status === 401) await endSession();
    }
  }
  if (answer.status === 403) await notifyGateListeners(answer);
  const build = answer.headers.get(buildHeader);
  if (build !== null && runtimeConfig.build !== '' && build !== runtimeConfig.build) staleBuild = true;
  return answer;
};

/** As `authorizedFetch`, for the Data API. */
export const dataFetch: typeof fetch = async (input, init) =>
  withJsonError(await authorizedFetch(input, init));

/**
 * Calls an endpoint of the Auth API for which the client has no method.
 *
 * @returns the parsed JSON, or null for an empty response
 * @throws BackendError, or what the browser throws before it sends the request
 */
export const requestAuth = async (path: string, init?: RequestInit): Promise<unknown> => {
  let response: Response;
  try {
    response = await authorizedFetch(`${backendUrl}/auth/v1${path}`, init);
  } catch (cause) {
    // fetch rejects with a TypeError if no response arrives.
    if (!(cause instanceof TypeError)) throw cause;
    throw new BackendError({ kind: 'network', message: unreachableMessage, cause });
  }
  const { status } = response;
  if (status === 204) return null;
  const body: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw fromErrorBody('auth', status, body, sentenceForStatus(status));
  if (body === undefined) throw new BackendError({ kind: 'shape', status, message: unreadableMessage });
  return body;
};
