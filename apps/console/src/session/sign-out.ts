/** Signs the user out: removes the session, the data derived from it and the memory of the document. */
import { useSyncExternalStore } from 'react';
import { getCurrentSession } from '../api/current-session.ts';
import { endLocalSession, requestLogout } from '../api/local-session.ts';
import { timeoutError, withTimeout } from '../api/deadline.ts';
import { errorMessage, fromErrorResponse, networkError } from '../api/errors.ts';
import { canLoad } from '../api/can-load.ts';
import { clearUnsavedChanges, hasUnsavedChanges } from '../forms/unsaved-changes.ts';
import { openSignIn } from './open-sign-in.ts';
import { clearPasswordSetupMarker } from './password-setup-marker.ts';
import { clearRecentLists } from './recent-lists.ts';
import { showSignedOut, stopSessionStore } from './session-store.ts';
import { toast, type ToastTexts } from '../ui/toast.ts';
import { queueToast } from '../ui/queued-toasts.ts';

const timeoutMs = 10_000;
const action = 'sign-out';

/** Time until a toast shows that the sign-out is running. */
const progressDelayMs = 1000;

/** `global`: the sessions on all devices. `local`: the session of this browser. */
export type SignOutScope = 'global' | 'local';

/** `confirming`: a dialog confirms that unsaved input may be lost. */
type SignOutState = 'idle' | 'confirming' | 'running';

let state: SignOutState = 'idle';
let requestedScope: SignOutScope = 'global';
const listeners = new Set<() => void>();

const setState = (next: SignOutState): void => {
  state = next;
  for (const listener of listeners) listener();
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useSignOut = (): SignOutState => useSyncExternalStore(subscribe, () => state);

/** Statuses of a session that has ended already. */
const endedStatuses: readonly number[] = [401, 403, 404];

/**
 * Ends the session of this browser, or all sessions of the user. The session stays stored.
 *
 * @throws ApiError if the service fails or cannot be reached
 */
const endSessions = async (scope: SignOutScope): Promise<void> => {
  const session = await getCurrentSession();
  if (session === null) return;
  const response = await requestLogout(session.access_token, scope).catch((error: unknown) => {
    throw networkError(error);
  });
  if (!response.ok && !endedStatuses.includes(response.status))
    throw await fromErrorResponse('auth', response);
};

const endRequestedSessions = async (): Promise<ToastTexts> => {
  try {
    await withTimeout(endSessions(requestedScope), timeoutMs, timeoutError);
    return { title: 'Signed out', description: "You've been successfully signed out." };
  } catch (error) {
    return { title: 'Sign out failed', description: errorMessage(error), variant: 'destructive' };
  }
};

/** Signs out, after a confirmation if unsaved input would be lost. */
export const requestSignOut = (scope: SignOutScope = 'global'): void => {
  if (state === 'running') return;
  requestedScope = scope;
  if (hasUnsavedChanges()) setState('confirming');
  else void signOut();
};

export const cancelSignOut = (): void => setState('idle');

/**
 * Signs out with the requested scope and opens the sign-in document. If the service fails or cannot be reached, a toast reports it,
 * and the session is removed from this browser anyway. Unsaved input is lost.
 */
export const signOut = async (): Promise<void> => {
  setState('running');
  stopSessionStore();
  const progress = setTimeout(
    () => toast({ action, title: 'Signing out...', persistent: true }),
    progressDelayMs,
  );
  const texts = await endRequestedSessions();
  clearTimeout(progress);
  // Otherwise the browser could keep a page without a session open.
  clearUnsavedChanges();
  endLocalSession({ revoke: false });
  clearPasswordSetupMarker();
  clearRecentLists();
  const loadable = texts.variant !== 'destructive' || (await canLoad('/auth'));
  if (loadable) queueToast({ action, ...texts });
  else toast({ action, ...texts });
  await openSignIn('/auth', loadable);
};

/** Leaves a session that could not be checked. */
export const signInAgain = async (): Promise<void> => {
  stopSessionStore();
  endLocalSession({ revoke: true });
  showSignedOut();
  await openSignIn('/auth');
};
