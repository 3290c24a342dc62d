/** Signing out: the session, everything derived from it and the document's memory go. */
import { auth } from '../api/auth.ts';
import { BackendError, fromAuthError, errorMessage } from '../api/errors.ts';
import { withTimeout } from '../api/with-timeout.ts';
import { clearPasswordSetupMarker } from './password-setup-marker.ts';
import { clearRecentSearches } from './recent-searches.ts';
import { stopSessionStore } from './session-store.ts';
import { toast } from '../ui/toast.ts';
import { queueToast } from '../ui/queued-toasts.ts';

const limit = 10_000;

const askService = async (): Promise<BackendError | null> => {
  try {
    const { error } = await withTimeout(
      auth.signOut(),
      limit,
      () => new BackendError({ kind: 'network', message: 'The service did not answer in time.' }),
    );
    return error === null ? null : fromAuthError(error);
  } catch (error) {
    return fromAuthError(error);
  }
};

const failed = (description: string) =>
  ({ action: 'sign-out', title: 'Sign out failed', description, variant: 'destructive' }) as const;

/**
 * Signs out everywhere and opens the sign-in document, which wipes memory and caches. The client
 * ignores 401, 403 and 404 by itself. When the service cannot do its part the message says so, and
 * the session leaves this browser all the same. Offline nothing changes: the sign-in document could not
 * be loaded, and the session would live on in the service.
 * @returns false when nothing changed
 */
export const signOut = async (): Promise<boolean> => {
  if (!navigator.onLine) {
    toast(failed('You are offline. Sign out again when the connection is back.'));
    return false;
  }
  stopSessionStore();
  const failure = await askService();
  if (failure !== null) await auth.signOut({ scope: 'local' });
  clearPasswordSetupMarker();
  clearRecentSearches();
  queueToast(
    failure === null
      ? { action: 'sign-out', title: 'Signed out', description: "You've been successfully signed out." }
      : failed(errorMessage(failure)),
  );
  location.replace('/auth');
  return true;
};
