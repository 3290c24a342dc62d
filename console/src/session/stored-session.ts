/** Whether this browser holds a session, without loading the auth client. */
import { backendAddress, readRuntimeConfig } from '../runtime-config.ts';
import { looksLikeSession, sessionStorageKey } from './session-storage-key.ts';

export const ownStorageKey = (): string =>
  sessionStorageKey(backendAddress(readRuntimeConfig(), location.origin));

export const hasStoredSession = (): boolean => {
  try {
    return looksLikeSession(localStorage.getItem(ownStorageKey()));
  } catch {
    return false;
  }
};

const stayKey = 'stay_on_sign_in';

/**
 * A page that could not use the stored session sends here to sign in. Without this note the sign-in
 * screen would forward the same session to the same page, for ever.
 */
export const stayOnSignInOnce = (): void => sessionStorage.setItem(stayKey, 'true');

/** Reads the note and removes it. */
export const takeStayOnSignIn = (): boolean => {
  const stays = sessionStorage.getItem(stayKey) !== null;
  sessionStorage.removeItem(stayKey);
  return stays;
};
