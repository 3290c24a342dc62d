/** Asks once whether somebody is signed in here, and what has to happen before the console opens. */
import { auth, clearInvalidSession, type Session } from '../api/auth.ts';
import { BackendError, fromAuthError } from '../api/errors.ts';
import { withTimeout } from '../api/with-timeout.ts';

/** 'set-password' and 'second-factor' come before anything else the session may do. */
export type SessionStep = 'ready' | 'set-password' | 'second-factor';

export type SessionCheck =
  | { readonly kind: 'none' }
  | { readonly kind: 'session'; readonly session: Session; readonly step: SessionStep }
  | { readonly kind: 'failed'; readonly error: BackendError };

/** Nobody looks at a spinner for longer than this. */
const limit = 10_000;

/** What the session says about itself. The service decides again with every call. */
export const requiredStep = async (session: Session): Promise<SessionStep> => {
  if (session.user.app_metadata['setup_required'] === true) return 'set-password';
  return (await needsSecondFactor(session.user)) ? 'second-factor' : 'ready';
};

/** Whether the stored session still has to pass a second factor of its user. @throws BackendError */
export const needsSecondFactor = async ({ factors = [] }: Session['user']): Promise<boolean> => {
  const { data, error } = await auth.mfa.getAuthenticatorAssuranceLevel();
  if (error !== null) throw fromAuthError(error);
  return data.currentLevel !== 'aal2' && factors.some((factor) => factor.status === 'verified');
};

const check = async (): Promise<SessionCheck> => {
  const { data, error } = await auth.getSession();
  if (error !== null) {
    const failure = fromAuthError(error);
    // A refusal has removed the session already; anything else leaves it stored for another try.
    const isRefusal = failure.kind === 'auth' && failure.status < 500;
    return isRefusal ? { kind: 'none' } : { kind: 'failed', error: failure };
  }
  if (data.session === null) {
    clearInvalidSession();
    return { kind: 'none' };
  }
  try {
    return { kind: 'session', session: data.session, step: await requiredStep(data.session) };
  } catch {
    // The stored text has the shape of a session but cannot be read: nobody can use it.
    await auth.signOut({ scope: 'local' });
    return { kind: 'none' };
  }
};

/** Never throws and never takes longer than ten seconds. */
export const checkSession = async (): Promise<SessionCheck> => {
  try {
    return await withTimeout(
      check(),
      limit,
      () =>
        new BackendError({
          kind: 'network',
          message: 'The sign-in service did not answer in time. Check your connection and try again.',
        }),
    );
  } catch (error) {
    return { kind: 'failed', error: fromAuthError(error) };
  }
};
