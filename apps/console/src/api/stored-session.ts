/** Whether this browser holds a session, without loading the auth client. */
import { backendAddress, readRuntimeConfig } from './runtime-config.ts';
import { looksLikeSession, sessionStorageKey } from './session-storage-key.ts';

export const currentStorageKey = (): string =>
  sessionStorageKey(backendAddress(readRuntimeConfig(), location.origin));

export const hasStoredSession = (): boolean => {
  try {
    return looksLikeSession(localStorage.getItem(currentStorageKey()));
  } catch {
    return false;
  }
};

const noteKey = 'stay_on_sign_in';

/**
 * Why a page sends a stored session to the sign-in screen: 'unusable' it cannot use it, 'outage' it could
 * not check it. Without the note the screen would forward the session to the same page, endlessly.
 */
export type SignInNote = 'unusable' | 'outage';

export const leaveSignInNote = (note: SignInNote): void => sessionStorage.setItem(noteKey, note);

/** Returns the note and removes it; null without one. */
export const takeSignInNote = (): SignInNote | null => {
  const note = sessionStorage.getItem(noteKey);
  sessionStorage.removeItem(noteKey);
  if (note === null) return null;
  return note === 'outage' ? 'outage' : 'unusable';
};
