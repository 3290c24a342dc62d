/** Opens the sign-in document from the console, which clears memory and caches. */
import { canLoad, waitForLine } from '../api/connection.ts';
import { getSessionState, showSignedOut } from './session-store.ts';

/** Milliseconds between two attempts to load the page. */
const attemptIntervalMs = 3000;

/**
 * Waits until the page can be loaded: otherwise the browser would replace the console by its error page. Meanwhile the
 * console tells that the user is signed out.
 *
 * @param loadable whether it can be loaded now
 */
export const openSignIn = async (
  path: string,
  loadable: boolean | Promise<boolean> = canLoad(path),
): Promise<void> => {
  if (!(await loadable)) {
    showSignedOut();
    do await waitForLine(attemptIntervalMs);
    while (!(await canLoad(path)));
    // The user has signed in again in another tab.
    if (getSessionState().status === 'signed-in') return;
  }
  location.replace(path);
};
