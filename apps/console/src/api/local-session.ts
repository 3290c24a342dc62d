/** Ends the session of this browser and notifies its listeners, without the auth client. */
import type { AuthChangeEvent, Session } from '@supabase/auth-js';
import { backendUrl, runtimeConfig } from './backend.ts';
import { readStoredSession, readStoredText, removeStoredSession } from './stored-session.ts';

let leaving = new AbortController();

/** Returns the signal that aborts when the user leaves the session. */
export const leavingSignal = (): AbortSignal => leaving.signal;

const missingListeners = new Set<() => void>();

/** Calls `listener` when a session is no longer stored. The auth client does not always emit an event for this. */
export const onMissingSession = (listener: () => void): (() => void) => {
  missingListeners.add(listener);
  return () => missingListeners.delete(listener);
};

export const reportMissingSession = (): void => {
  for (const listener of missingListeners) listener();
};

type SessionListener = (event: AuthChangeEvent, session: Session | null) => void;

let sessionListener: SessionListener = () => undefined;

/** @param listener called for each event of the auth client, once it is loaded; its first one is `INITIAL_SESSION` */
export const setSessionListener = (listener: SessionListener): void => {
  sessionListener = listener;
};

export const reportSessionEvent: SessionListener = (event, session) => sessionListener(event, session);

let discardRefresh = (): void => undefined;

/** @param discard makes a refresh that is still running discard its session; called when the session is removed */
export const setRefreshDiscard = (discard: () => void): void => {
  discardRefresh = discard;
};

/**
 * Asks the service to end the session of this token, or all sessions of its user.
 *
 * @throws what `fetch` throws
 */
export const requestLogout = (token: string, scope: 'global' | 'local'): Promise<Response> =>
  fetch(`${backendUrl}/auth/v1/logout?scope=${scope}`, {
    method: 'POST',
    headers: { apikey: runtimeConfig.anonKey, Authorization: `Bearer ${token}` },
    // The browser can leave the page before the response.
    keepalive: true,
  });

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
  if (readStoredText() === null) return;
  const stored = readStoredSession();
  removeStoredSession();
  discardRefresh();
  reportMissingSession();
  if (revoke && stored !== null) requestLogout(stored.access_token, 'local').catch(() => undefined);
};
