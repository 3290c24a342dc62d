/**
 * Who is signed in, for the console's document. One store outside React, because the auth client,
 * the data calls and other tabs all change it.
 */
import {
  auth,
  type SessionRequirement,
  onSessionRequirement,
  onMissingSession,
  type Session,
} from '../api/auth.ts';
import type { BackendError } from '../api/errors.ts';
import { checkSession, type SessionStep, requiredStep } from './session-check.ts';
import { watchSession } from './session-watch.ts';

export type SessionState =
  /** Not known yet: guards show a spinner and decide nothing. */
  | { readonly status: 'loading' }
  /** The service could not be asked; the stored session is untouched. */
  | { readonly status: 'failed'; readonly error: BackendError }
  /** `lost`: somebody was signed in when this document opened; `last` is who. */
  | { readonly status: 'signed-out'; readonly lost: boolean; readonly last: Session['user'] | null }
  | { readonly status: 'signed-in'; readonly session: Session; readonly step: SessionStep };

let state: SessionState = { status: 'loading' };
const listeners = new Set<() => void>();

const become = (next: SessionState): void => {
  state = next;
  for (const listener of listeners) listener();
};

export const getSessionState = (): SessionState => state;

/** Whether the service would answer more than a refusal. */
export const isSessionReady = (): boolean => state.status === 'signed-in' && state.step === 'ready';

export const subscribeToSession = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

let leaving = false;

/** The document is about to be left on purpose: what happens to the session no longer concerns it. */
export const stopSessionStore = (): void => {
  leaving = true;
};

const signedOut = (): void => {
  if (state.status === 'signed-out') return;
  const last = state.status === 'signed-in' ? state.session.user : null;
  become({ status: 'signed-out', lost: last !== null, last });
};

/**
 * Another person in another tab signed in: what this document holds in memory is not theirs.
 * A document whose own session was lost keeps its input only for the same person.
 */
const belongsToSomebodyElse = (session: Session): boolean => {
  if (state.status === 'signed-in') return state.session.user.id !== session.user.id;
  return state.status === 'signed-out' && state.last !== null && state.last.id !== session.user.id;
};

const signedIn = async (session: Session): Promise<void> => {
  if (belongsToSomebodyElse(session)) {
    location.reload();
    return;
  }
  // The client repeats SIGNED_IN whenever the tab becomes visible; nothing may move because of it.
  if (
    state.status === 'signed-in' &&
    state.session.access_token === session.access_token &&
    state.session.user.updated_at === session.user.updated_at
  ) {
    return;
  }
  const step = await requiredStep(session);
  become({ status: 'signed-in', session, step });
};

const passGate = (gate: SessionRequirement): void => {
  if (state.status !== 'signed-in') return;
  const step: SessionStep = gate === 'password_not_set' ? 'set-password' : 'second-factor';
  become({ ...state, step });
};

/** Asks again after `failed`. */
export const retrySession = async (): Promise<void> => {
  become({ status: 'loading' });
  const found = await checkSession();
  if (found.kind === 'session') become({ status: 'signed-in', session: found.session, step: found.step });
  else if (found.kind === 'failed') become({ status: 'failed', error: found.error });
  else become({ status: 'signed-out', lost: false, last: null });
};

/** Starts following the session. Called once per document; resolves when it is known who is signed in. */
export const startSessionStore = (): Promise<void> => {
  auth.onAuthStateChange((event, session) => {
    // INITIAL_SESSION cannot tell "nobody" from "could not be asked"; the check below can.
    if (event === 'INITIAL_SESSION' || leaving) return;
    if (session !== null) void signedIn(session).catch(signedOut);
    else if (event === 'SIGNED_OUT' && state.status !== 'loading') signedOut();
  });
  onSessionRequirement(passGate);
  // Storage was cleared, by the person or by the browser.
  onMissingSession(() => {
    if (!leaving && state.status === 'signed-in') signedOut();
  });
  watchSession(() => state.status === 'signed-in' && !leaving);
  // A document taken from the back/forward cache may show what a sign-out has ended.
  addEventListener('pageshow', (event) => {
    if (event.persisted) location.reload();
  });
  return retrySession();
};
