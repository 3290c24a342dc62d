/** Opens the sign-in document from the console, which clears memory and caches. */
import { canLoad, waitUntilOnline } from '../api/can-load.ts';
import { getSessionState, showSignedOut } from './session-store.ts';

const attemptIntervalMs = 3000;

/**
 * Waits until the page can be loaded, because the browser would replace the console by its error page. Until then the
 * console shows that the user is signed out.
 *
 * @param loadable true if it can be loaded now
 */
export const openSignIn = async (
  path: string,
  loadable: boolean | Promise<boolean> = canLoad(path),
): Promise<void> => {
  if (!(await loadable)) {
    showSignedOut();
    do await waitUntilOnline(attemptIntervalMs);
    while (!(await canLoad(path)));
    // The user has signed in again in another tab.
    if (getSessionState().status === 'signed-in') return;
  }
  location.replace(path);
};
