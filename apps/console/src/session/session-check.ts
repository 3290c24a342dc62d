/** Checks once whether a user is signed in, and which step the session requires before the console opens. */
import { auth, getCurrentSession, removeStoredSession, type Session } from '../api/auth.ts';
import { ApiError, fromAuthError } from '../api/errors.ts';
import { withTimeout } from '../api/with-timeout.ts';

/** `set-password` and `second-factor` are required before the session can do anything else. */
export type SessionStep = 'ready' | 'set-password' | 'second-factor';

export type SessionCheck =
  | { readonly kind: 'none' }
  | { readonly kind: 'session'; readonly session: Session; readonly step: SessionStep }
  | { readonly kind: 'failed'; readonly error: ApiError };

/** Milliseconds. The console shows a spinner during the check. */
const timeoutMs = 10_000;

/** Returns the step that the stored session requires. The service checks every request again. */
export const requiredStep = async (session: Session): Promise<SessionStep> => {
  if (session.user.app_metadata['setup_required'] === true) return 'set-password';
  return (await needsSecondFactor(session.user)) ? 'second-factor' : 'ready';
};

/**
 * Returns true if the user has a verified factor and the stored session is not at AAL2.
 *
 * @throws ApiError
 */
export const needsSecondFactor = async ({ factors = [] }: Session['user']): Promise<boolean> => {
  const { data, error } = await auth.mfa.getAuthenticatorAssuranceLevel();
  if (error !== null) throw fromAuthError(error);
  return data.currentLevel !== 'aal2' && factors.some((factor) => factor.status === 'verified');
};

const check = async (): Promise<SessionCheck> => {
  // Throws if a session is stored and could not be refreshed.
  const session = await getCurrentSession();
  if (session === null) {
    removeStoredSession();
    return { kind: 'none' };
  }
  try {
    return { kind: 'session', session, step: await requiredStep(session) };
  } catch {
    // The stored text has the fields of a session, but its token cannot be decoded.
    await auth.signOut({ scope: 'local' });
    return { kind: 'none' };
  }
};

/** Checks the stored session. Never throws, and returns within ten seconds. */
export const checkSession = async (): Promise<SessionCheck> => {
  try {
    return await withTimeout(
      check(),
      timeoutMs,
      () =>
        new ApiError({
          kind: 'network',
          message: 'The sign-in service did not respond in time. Check your connection and try again.',
        }),
    );
  } catch (error) {
    return { kind: 'failed', error: fromAuthError(error) };
  }
};
