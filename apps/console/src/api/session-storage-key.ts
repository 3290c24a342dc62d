/**
 * Names of what a session leaves in the browser (specification section 9, reading A33): derived
 * from the first label of the backend's host, so that two backends never share a session.
 */

/** @param backend absolute address of the platform service. */
export const sessionStorageKey = (backend: string): string =>
  `sb-${new URL(backend).hostname.split('.')[0]}-auth-token`;

/**
 * True when the stored text looks like a session: access_token, refresh_token and expires_at are
 * there. Whether it still holds is for the service to say.
 */
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
