/** Signs the user out: removes the session, the data derived from it and the memory of the document. */
import { endAllSessions, endLocalSession } from '../api/auth.ts';
import { timeoutError } from '../api/deadline.ts';
import { errorMessage } from '../api/errors.ts';
import { canLoad } from '../api/line.ts';
import { withTimeout } from '../api/with-timeout.ts';
import { openSignIn } from './open-sign-in.ts';
import { clearPasswordSetupMarker } from './password-setup-marker.ts';
import { clearRecentLists } from './recent-searches.ts';
import { showSignedOut, stopSessionStore } from './session-store.ts';
import { toast, type ToastTexts } from '../ui/toast.ts';
import { queueToast } from '../ui/queued-toasts.ts';

const timeoutMs = 10_000;
const action = 'sign-out';

const endSessions = async (): Promise<ToastTexts> => {
  try {
    await withTimeout(endAllSessions(), timeoutMs, timeoutError);
    return { title: 'Signed out', description: "You've been successfully signed out." };
  } catch (error) {
    return { title: 'Sign out failed', description: errorMessage(error), variant: 'destructive' };
  }
};

/**
 * Signs out on all devices and opens the sign-in document. If the service fails or cannot be reached, a toast reports it,
 * and the session is removed from this browser anyway.
 */
export const signOut = async (): Promise<void> => {
  stopSessionStore();
  const texts = await endSessions();
  endLocalSession({ revoke: false });
  clearPasswordSetupMarker();
  clearRecentLists();
  const loadable = texts.variant !== 'destructive' || (await canLoad('/auth'));
  if (loadable) queueToast({ action, ...texts });
  else toast({ action, ...texts });
  await openSignIn('/auth', loadable);
};

/** Leaves a session that could not be checked. */
export const signInAgain = async (): Promise<void> => {
  stopSessionStore();
  endLocalSession({ revoke: true });
  showSignedOut();
  await openSignIn('/auth');
};
