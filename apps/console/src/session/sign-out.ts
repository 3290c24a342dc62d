/** Signs the user out: removes the session, the data derived from it and the memory of the document. */
import { auth } from '../api/auth.ts';
import { ApiError, fromAuthError, errorMessage } from '../api/errors.ts';
import { withTimeout } from '../api/with-timeout.ts';
import { clearPasswordSetupMarker } from './password-setup-marker.ts';
import { clearRecentLists } from './recent-searches.ts';
import { stopSessionStore } from './session-store.ts';
import { toast } from '../ui/toast.ts';
import { queueToast } from '../ui/queued-toasts.ts';

const timeoutMs = 10_000;

const revokeSession = async (): Promise<ApiError | null> => {
  try {
    const { error } = await withTimeout(
      auth.signOut(),
      timeoutMs,
      () => new ApiError({ kind: 'network', message: 'The service did not respond in time.' }),
    );
    return error === null ? null : fromAuthError(error);
  } catch (error) {
    return fromAuthError(error);
  }
};

const failedToast = (description: string) =>
  ({ action: 'sign-out', title: 'Sign out failed', description, variant: 'destructive' }) as const;

/**
 * Signs out on all devices and opens the sign-in document, which clears memory and caches. The auth client
 * ignores 401, 403 and 404 responses. If the service fails, a toast reports it, and the session is removed
 * from this browser anyway. Does nothing offline: the sign-in document could not load, and the session would
 * stay active in the service.
 *
 * @returns false if nothing was changed
 */
export const signOut = async (): Promise<boolean> => {
  if (!navigator.onLine) {
    toast(failedToast('You are offline. Sign out again when you are online.'));
    return false;
  }
  stopSessionStore();
  const error = await revokeSession();
  if (error !== null) await auth.signOut({ scope: 'local' });
  clearPasswordSetupMarker();
  clearRecentLists();
  queueToast(
    error === null
      ? { action: 'sign-out', title: 'Signed out', description: "You've been successfully signed out." }
      : failedToast(errorMessage(error)),
  );
  location.replace('/auth');
  return true;
};
