/** Reads the stored session and the sign-in note without loading the auth client. */
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
 * Why a page redirects to the sign-in screen although a session is stored: `unusable` the page cannot use it,
 * `outage` the page could not check it. Without the note, the screen would redirect back in an endless loop.
 */
export type SignInNote = 'unusable' | 'outage';

export const leaveSignInNote = (note: SignInNote): void => sessionStorage.setItem(noteKey, note);

/** Returns and removes the note, or returns null if there is none. */
export const takeSignInNote = (): SignInNote | null => {
  const note = sessionStorage.getItem(noteKey);
  sessionStorage.removeItem(noteKey);
  if (note === null) return null;
  return note === 'outage' ? 'outage' : 'unusable';
};
