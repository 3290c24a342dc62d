/**
 * The local storage key of the session, and the check of the stored text. The key contains the first label of
 * the backend's host name, as in supabase-js.
 */

/** @param backend absolute base URL of the service */
export const sessionStorageKey = (backend: string): string =>
  `sb-${new URL(backend).hostname.split('.')[0]}-auth-token`;

/** The fields that a stored session must have. */
export interface StoredSession {
  readonly access_token: string;
  readonly refresh_token: string;
  /** Unix time in seconds by the clock of this device. */
  readonly expires_at: number;
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';

/** Returns true for a value with the fields of a session. Only the service can tell if it is active. */
export const isStoredSession = (value: unknown): value is StoredSession => {
  const { access_token, refresh_token, expires_at } = Object(value) as Record<keyof StoredSession, unknown>;
  return isText(access_token) && isText(refresh_token) && typeof expires_at === 'number';
};

/** Returns the session in the stored text, or null. */
export const parseStoredSession = (stored: string | null): StoredSession | null => {
  try {
    const value: unknown = JSON.parse(stored ?? '');
    return isStoredSession(value) ? value : null;
  } catch {
    return null;
  }
};

export const looksLikeSession = (stored: string | null): boolean => parseStoredSession(stored) !== null;
