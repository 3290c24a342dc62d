/** Selects the initial view of the sign-in document. */
import { removeTrailingSlashes } from '@lanternrock/contract/trailing-slashes';
import { parseStoredSession } from '../../api/stored-session.ts';

/**
 * A prerendered view: `form` is the sign-in form, `checking` a spinner while a stored session is checked, the
 * other two are the progress texts of their pages.
 */
export type InitialView = 'form' | 'checking' | 'callback' | 'set-password';

/** @param stored the local storage value under the session key, or null */
export const selectInitialView = (pathname: string, stored: string | null): InitialView => {
  const path = removeTrailingSlashes(pathname);
  if (path === '/auth/callback') return 'callback';
  if (path === '/auth/set-password') return 'set-password';
  return parseStoredSession(stored) !== null ? 'checking' : 'form';
};
