/**
 * The session state of the console document. A store outside React, because the auth client, API responses
 * and other tabs change it.
 */
import type { Session } from '../api/auth.ts';
import { getCurrentSession, loadAuthClient } from '../api/current-session.ts';
import type { ApiError } from '../api/errors.ts';
import { findField, parseTokenClaims } from '../api/json.ts';
import { onMissingSession, setSessionListener } from '../api/local-session.ts';
import { isTokenStored } from '../api/running-calls.ts';
import { currentStorageKey, readStoredSession } from '../api/stored-session.ts';
import { onSessionRequirement, type SessionRequirement } from '../api/session-requirements.ts';
import { hasUnsavedChanges } from '../forms/unsaved-changes.ts';
import { getRequiredStep, type SessionStep } from './required-step.ts';
import { checkSession, isReadable, type SessionCheck } from './session-check.ts';
import { stopSessionWatch, watchSession } from './session-watch.ts';

export type SessionState =
  /** Not known yet. Guards show a spinner. */
  | { readonly status: 'loading' }
  /** The check failed. The stored session is kept. */
  | { readonly status: 'failed'; readonly error: ApiError }
  /** `lost`: the session ended while this document was open. `last`: the user who was signed in. */
  | {
      readonly status: 'signed-out';
      readonly lost: boolean;
      readonly last: Session['user'] | null;
      /** The user signed out, and the sign-in page cannot be loaded yet. */
      readonly waits?: boolean;
    }
  | { readonly status: 'signed-in'; readonly session: Session; readonly step: SessionStep };

let state: SessionState = { status: 'loading' };
const listeners = new Set<() => void>();

const setState = (next: SessionState): void => {
  state = next;
  for (const listener of listeners) listener();
};

export const getSessionState = (): SessionState => state;

/** Returns true if a user is signed in and the session requires no further step. */
export const isSessionReady = (): boolean => state.status === 'signed-in' && state.step === 'ready';

export const subscribeToSession = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

let leaving = false;

/** Ignores further session changes. Call before the document is left intentionally. */
export const stopSessionStore = (): void => {
  leaving = true;
  stopSessionWatch();
};

/** Shows that the user has signed out, while the sign-in page cannot be loaded. */
export const showSignedOut = (): void => {
  setState({ status: 'signed-out', lost: false, last: null, waits: true });
};

const handleSignedOut = (): void => {
  if (state.status === 'signed-out') return;
  const last = state.status === 'signed-in' ? state.session.user : null;
  setState({ status: 'signed-out', lost: last !== null, last });
};

/**
 * Returns true if a different user signed in, in another tab. The memory of this document belongs to the
 * previous user. After an ended session, the page keeps its unsaved input only for the same user.
 */
const isDifferentUser = (session: Session): boolean => {
  if (state.status === 'signed-in') return state.session.user.id !== session.user.id;
  return state.status === 'signed-out' && state.last !== null && state.last.id !== session.user.id;
};

const handleSignedIn = (session: Session): void => {
  if (isDifferentUser(session)) {
    // The browser would show a confirmation about unsaved input, and keep the page of the previous user with the session of this one.
    if (hasUnsavedChanges()) handleSignedOut();
    else location.reload();
    return;
  }
  // The client emits SIGNED_IN each time the tab becomes visible. This must not cause a render.
  if (
    state.status === 'signed-in' &&
    state.session.access_token === session.access_token &&
    state.session.user.updated_at === session.user.updated_at
  ) {
    return;
  }
  setState({ status: 'signed-in', session, step: getRequiredStep(session) });
};

/** Another tab has changed the stored session. Its event of the auth client is missed until the client is loaded. */
const handleStoredSession = (): void => {
  if (leaving || state.status === 'loading') return;
  const stored = readStoredSession() as Session | null;
  // Reports that it is missing.
  if (stored === null) getCurrentSession().catch(() => undefined);
  else if (isReadable(stored)) handleSignedIn(stored);
};

/** A token of AAL2 that is rejected: the factor of its session has been removed. */
const isLowered = (requirement: SessionRequirement, token: string): boolean =>
  requirement === 'insufficient_aal' && findField(parseTokenClaims(token), 'aal') === 'aal2';

/** Waits for the end of running calls: the user may just have added a second factor, in this tab or another one. */
const handleRequirement = async (requirement: SessionRequirement, token: string): Promise<void> => {
  if (state.status !== 'signed-in' || !(await isTokenStored(token))) return;
  // The session may have ended or been replaced since the request.
  const current = getSessionState();
  if (current.status !== 'signed-in' || current.session.access_token !== token) return;
  if (isLowered(requirement, token)) {
    // The new token shows which step is missing. Without it, the sign-in page would redirect back.
    await loadAuthClient()
      .then((client) => client.refreshAccessToken())
      .catch(() => undefined);
    return;
  }
  const step: SessionStep = requirement === 'password_not_set' ? 'set-password' : 'second-factor';
  setState({ ...current, step });
};

/** Milliseconds between two checks while the service cannot be reached. */
const recheckIntervalMs = 2000;

/** Shows the result of a check. After a failure, checks again until the service can be reached. */
const applyCheck = (found: SessionCheck): void => {
  if (found.kind === 'session') setState({ status: 'signed-in', session: found.session, step: found.step });
  else if (found.kind === 'none') setState({ status: 'signed-out', lost: false, last: null });
  else {
    setState({ status: 'failed', error: found.error });
    const shown = state;
    setTimeout(() => void recheck(shown), recheckIntervalMs);
  }
};

/** @param shown the failure, unless the user has pressed Retry or the client has refreshed the session since */
const recheck = async (shown: SessionState): Promise<void> => {
  const found = await checkSession();
  if (state === shown) applyCheck(found);
};

/** Checks the session again, for example after `failed`. */
export const retrySession = async (): Promise<void> => {
  setState({ status: 'loading' });
  applyCheck(await checkSession());
};

/**
 * Starts the store. Call once per document. Resolves when the session state is known.
 *
 * @param onReachable called while the service responds, also after an outage
 */
export const startSessionStore = (onReachable: () => void): Promise<void> => {
  setSessionListener((event, session) => {
    // `retrySession` below reports the result of the first check.
    if (leaving || (event === 'INITIAL_SESSION' && state.status === 'loading')) return;
    if (session !== null) handleSignedIn(session);
    else if (event === 'SIGNED_OUT' && state.status !== 'loading') handleSignedOut();
    // INITIAL_SESSION without a session can be a failed refresh, or a sign-out in another tab before the client was loaded.
    else if (state.status === 'signed-in') getCurrentSession().catch(() => undefined);
  });
  addEventListener('storage', ({ key }) => {
    if (key === null || key === currentStorageKey()) handleStoredSession();
  });
  onSessionRequirement((requirement, token) => void handleRequirement(requirement, token));
  // The user or the browser has cleared local storage.
  onMissingSession(() => {
    if (!leaving && state.status === 'signed-in') handleSignedOut();
  });
  watchSession(() => state.status === 'signed-in' && !leaving, onReachable);
  // A document from the back/forward cache can show data of a session that has ended.
  addEventListener('pageshow', (event) => {
    if (event.persisted) location.reload();
  });
  return retrySession();
};
