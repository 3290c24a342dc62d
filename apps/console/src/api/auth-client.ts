/**
 * The client of the Auth API, which stores and refreshes the session. Loaded on demand; the console loads it after the initial
 * view.
 */
import { consoleClientInfo } from '@lanternrock/contract/runtime';
import { GoTrueClient, isAuthError, type Session } from '@supabase/auth-js';
import { createAuthClientFetch } from './auth-client-fetch.ts';
import { backendUrl, runtimeConfig } from './backend.ts';
import { timeoutError, withTimeout } from './deadline.ts';
import { ApiError, fromAuthError } from './errors.ts';
import {
  endLocalSession,
  leavingSignal,
  reportMissingSession,
  reportSessionEvent,
  setRefreshDiscard,
} from './local-session.ts';
import { currentStorageKey, isStoredSession, readStoredSession, readStoredText } from './stored-session.ts';

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

/** `detectSessionInUrl` is off because the callback page parses email links itself. */
export const authClient = new AuthClient({
  url: `${backendUrl}/auth/v1`,
  storageKey: currentStorageKey(),
  headers: {
    apikey: runtimeConfig.anonKey,
    Authorization: `Bearer ${runtimeConfig.anonKey}`,
    'X-Client-Info': consoleClientInfo,
  },
  detectSessionInUrl: false,
  flowType: 'implicit',
  persistSession: true,
  // With a full storage, the client would use its memory, and requests the storage.
  ...(readStoredText() !== null && { storage: localStorage }),
  fetch: createAuthClientFetch({
    // The client would store the session of a response that arrives later.
    leavingSignal,
    // The client keeps a session whose access token is still valid.
    onRejected: (refreshToken) => {
      if (readStoredSession()?.refresh_token === refreshToken) endLocalSession({ revoke: false });
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

setRefreshDiscard(() => authClient.discardRefresh());
authClient.onAuthStateChange(reportSessionEvent);

/** Milliseconds until a refresh that continues in the background counts as failed. */
const sessionTimeoutMs = 10_000;
/** The same while the service is known to be unreachable. */
const knownOutageMs = 500;

/** Rejects as soon as an outage is known, or with the time limit. */
const readSession = async (): ReturnType<typeof authClient.getSession> => {
  const isCooldown = performance.now() < refreshNotBefore;
  if (!isCooldown) authClient.forgetRefreshFailure();
  const known = isCooldown ? outage : null;
  let listener: (error: ApiError) => void = () => undefined;
  const failed = new Promise<never>((_, reject) => {
    listener = reject;
  });
  outageListeners.add(listener);
  try {
    const work = Promise.race([authClient.getSession(), failed]);
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
export const getRefreshedSession = async (): Promise<Session | null> => {
  const result = await readSession().catch((error: unknown) => ({ data: { session: null }, error }));
  const { session } = result.data;
  if (isStoredSession(session)) return session;
  if (result.error !== null) {
    const stored = readStoredSession();
    // The client refreshes before the token expires, so it can still be valid.
    if (stored !== null && stored.expires_at * 1000 > Date.now()) return stored as Session;
    if (stored !== null) throw fromAuthError(result.error);
    // The browser failed, for example its storage: a session can be there.
    if (!isAuthError(result.error) && !(result.error instanceof ApiError)) throw result.error;
  }
  reportMissingSession();
  return null;
};

/**
 * Refreshes the session also if it has not expired. Returns the new token, or null if the service has ended it.
 *
 * @throws ApiError if the service could not be reached
 */
export const refreshAccessToken = async (): Promise<string | null> => {
  const { data, error } = await authClient.refreshSession();
  if (error === null) return data.session?.access_token ?? null;
  const stored = await getRefreshedSession();
  if (stored === null) return null;
  // Another tab has refreshed it, or the service did not respond.
  if (error.name === 'AuthRefreshDiscardedError') return stored.access_token;
  throw fromAuthError(error);
};

// Refreshes the session without waiting for the next request.
addEventListener('online', () => {
  refreshNotBefore = 0;
  if (readStoredSession() !== null) getRefreshedSession().catch(() => undefined);
});
