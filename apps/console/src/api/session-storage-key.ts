/**
 * The local storage key of the session, and the check of the stored text. The key contains the first label of
 * the backend's host name, as in supabase-js.
 */

/** @param backend absolute base URL of the service */
export const sessionStorageKey = (backend: string): string =>
  `sb-${new URL(backend).hostname.split('.')[0]}-auth-token`;

/** Returns true if the stored text has the fields of a session. Only the service can tell if it is active. */
export const looksLikeSession = (stored: string | null): boolean => {
  if (stored === null) return false;
  try {
    const value: unknown = JSON.parse(stored);
    return (
      typeof value === 'object' &&
      value !== null &&
      ['access_token', 'refresh_token', 'expires_at'].every((name) => name in value)
    );
  } catch {
    return false;
  }
};
