/** What the boot script decides before the first paint. Pure, so that it can be tested. */
import { looksLikeSession } from '../../api/session-storage-key.ts';

/**
 * Which of the prerendered parts of the sign-in document shows: 'form' the sign-in form, 'checking'
 * a spinner while a stored session is looked at, the other two their page's waiting text.
 */
export type InitialView = 'form' | 'checking' | 'callback' | 'set-password';

/** @param stored what local storage holds under the session's key. */
export const initialView = (pathname: string, stored: string | null): InitialView => {
  const path = pathname.replace(/\/+$/, '');
  if (path === '/auth/callback') return 'callback';
  if (path === '/auth/set-password') return 'set-password';
  return looksLikeSession(stored) ? 'checking' : 'form';
};
