/** The session in local storage, as the auth client stores it. Small, because the boot scripts use it. */
import { backendAddress, readRuntimeConfig } from './runtime-config.ts';

/**
 * Returns the key of the session. As in supabase-js, it contains the first label of the host name.
 *
 * @param backend absolute base URL of the service
 */
export const sessionStorageKey = (backend: string): string =>
  `sb-${new URL(backend).hostname.split('.')[0]}-auth-token`;

/** Returns the key for the backend of this document. */
export const currentStorageKey = (): string =>
  sessionStorageKey(backendAddress(readRuntimeConfig(), location.origin));

/** The fields that a stored session must have, and its user, which is not checked. */
export interface StoredSession {
  readonly access_token: string;
  readonly refresh_token: string;
  /** Unix time in seconds by the clock of this device. */
  readonly expires_at: number;
  readonly user?: unknown;
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';

/** Returns true for a value with the fields of a session. Only the service knows whether it is active. */
export const isStoredSession = (value: unknown): value is StoredSession => {
  const { access_token, refresh_token, expires_at } = Object(value) as Record<keyof StoredSession, unknown>;
  return isText(access_token) && isText(refresh_token) && typeof expires_at === 'number';
};

/** Returns the session in a stored text, or null. */
export const parseStoredSession = (stored: string | null): StoredSession | null => {
  try {
    const value: unknown = JSON.parse(stored ?? '');
    return isStoredSession(value) ? value : null;
  } catch {
    return null;
  }
};

/** Returns true if local storage has no text of a session; false also if it cannot be read. */
export const isSessionAbsent = (): boolean => {
  try {
    return localStorage.getItem(currentStorageKey()) === null;
  } catch {
    return false;
  }
};

/** Returns null also if local storage is blocked. */
export const readStoredText = (): string | null => {
  try {
    return localStorage.getItem(currentStorageKey());
  } catch {
    return null;
  }
};

export const readStoredSession = (): StoredSession | null => parseStoredSession(readStoredText());

/** Removes the session and its code verifiers, and notifies the other tabs, as the auth client does. */
export const removeStoredSession = (): void => {
  const storageKey = currentStorageKey();
  for (const key of Object.keys(localStorage))
    if (key === storageKey || key.startsWith(`${storageKey}-`)) localStorage.removeItem(key);
  const tabs = new BroadcastChannel(storageKey);
  tabs.postMessage({ event: 'SIGNED_OUT', session: null });
  tabs.close();
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
