/** Signing out: the session, everything derived from it and the document's memory go. */
import { auth } from '../backend-auth.ts';
import { BackendError, fromAuthError, messageOf } from '../backend-error.ts';
import { withDeadline } from './deadline.ts';
import { clearPasswordSetupMarker } from './password-setup-marker.ts';
import { forgetSearches } from '../recent-searches.ts';
import { stopFollowingSession } from './session-store.ts';
import { handOverToast } from './toast-handover.ts';

const limit = 10_000;

const askService = async (): Promise<BackendError | null> => {
  try {
    const { error } = await withDeadline(
      auth.signOut(),
      limit,
      () => new BackendError({ kind: 'network', message: 'The service did not answer in time.' }),
    );
    return error === null ? null : fromAuthError(error);
  } catch (error) {
    return fromAuthError(error);
  }
};

/**
 * Signs out everywhere and opens the sign-in document, which wipes memory and caches. The client
 * ignores 401, 403 and 404 by itself. When the service cannot do its part the message says so, and
 * the session leaves this browser all the same (specification section 4).
 */
export const signOut = async (): Promise<void> => {
  stopFollowingSession();
  const failure = await askService();
  if (failure !== null) await auth.signOut({ scope: 'local' });
  clearPasswordSetupMarker();
  forgetSearches();
  handOverToast(
    failure === null
      ? { action: 'sign-out', title: 'Signed out', description: "You've been successfully signed out." }
      : {
          action: 'sign-out',
          title: 'Sign out failed',
          description: messageOf(failure),
          variant: 'destructive',
        },
  );
  location.replace('/auth');
};
