/** Signs the user out: removes the session, the data derived from it and the memory of the document. */
import { auth, forgetSession } from '../api/auth.ts';
import { timeoutError } from '../api/deadline.ts';
import { type ApiError, fromAuthError, errorMessage } from '../api/errors.ts';
import { withTimeout } from '../api/with-timeout.ts';
import { clearPasswordSetupMarker } from './password-setup-marker.ts';
import { clearRecentLists } from './recent-searches.ts';
import { showSignedOut, stopSessionStore } from './session-store.ts';
import { toast, type ToastMessage } from '../ui/toast.ts';
import { queueToast } from '../ui/queued-toasts.ts';

const timeoutMs = 10_000;

const revokeSession = async (): Promise<ApiError | null> => {
  try {
    const { error } = await withTimeout(auth.signOut(), timeoutMs, timeoutError);
    return error === null ? null : fromAuthError(error);
  } catch (error) {
    return fromAuthError(error);
  }
};

/** Milliseconds. */
const loadTimeoutMs = 5000;
const loadIntervalMs = 3000;

/** Returns true if the sign-in page can be loaded. Otherwise the browser would replace the console by its error page. */
const canLoad = async (path: string): Promise<boolean> => {
  try {
    const signal = AbortSignal.timeout(loadTimeoutMs);
    return (await fetch(path, { cache: 'no-store', signal })).ok;
  } catch {
    return false;
  }
};

const waitForLine = (): Promise<void> =>
  new Promise((resolve) => {
    addEventListener('online', () => resolve(), { once: true });
    setTimeout(resolve, loadIntervalMs);
  });

/**
 * Signs out on all devices and opens the sign-in document, which clears memory and caches. The auth client
 * ignores 401, 403 and 404 responses. If the service fails or cannot be reached, a toast reports it, and the session is
 * removed from this browser anyway.
 */
export const signOut = async (): Promise<void> => {
  stopSessionStore();
  const error = await revokeSession();
  if (error !== null) await forgetSession();
  clearPasswordSetupMarker();
  clearRecentLists();
  const result: ToastMessage =
    error === null
      ? { action: 'sign-out', title: 'Signed out', description: "You've been successfully signed out." }
      : {
          action: 'sign-out',
          title: 'Sign out failed',
          description: errorMessage(error),
          variant: 'destructive',
        };
  if (error?.kind === 'network' && !(await canLoad('/auth'))) {
    showSignedOut();
    toast(result);
    do await waitForLine();
    while (!(await canLoad('/auth')));
  }
  queueToast(result);
  location.replace('/auth');
};
