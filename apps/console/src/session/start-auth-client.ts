/**
 * Loads the auth client after the initial view. It refreshes the session in time, and reports events of other tabs. Until it is
 * loaded, requests use the stored token.
 */
import { canLoad, waitUntilOnline } from '../api/can-load.ts';
import { loadAuthClient } from '../api/current-session.ts';

const firstPauseMs = 2000;
const maxPauseMs = 60_000;

/** Failed attempts after which a page that can be loaded is the better one. */
const maxFailures = 3;

/**
 * Repeats failed attempts with growing pauses until one succeeds.
 *
 * @param reload loads the page again: some browsers repeat the failure of a module for as long as the page is open
 */
export const startAuthClient = async (reload: () => void): Promise<void> => {
  for (let failures = 0; !(await tryToLoad()); failures += 1) {
    if (failures === maxFailures && (await canLoad(location.pathname))) reload();
    await waitUntilOnline(Math.min(firstPauseMs * 2 ** failures, maxPauseMs));
  }
};

const tryToLoad = (): Promise<boolean> =>
  loadAuthClient().then(
    () => true,
    () => false,
  );
