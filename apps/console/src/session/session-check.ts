/** Checks once whether a user is signed in, and which step the session requires before the console opens. */
import { getCurrentSession } from '../api/current-session.ts';
import { endLocalSession } from '../api/local-session.ts';
import type { Session } from '../api/auth.ts';
import { ApiError, fromAuthError } from '../api/errors.ts';
import { findField, parseTokenClaims } from '../api/json.ts';
import { readStoredSession } from '../api/stored-session.ts';
import { withTimeout } from '../api/deadline.ts';
import { getRequiredStep, type SessionStep } from './required-step.ts';

export type SessionCheck =
  | { readonly kind: 'none' }
  | { readonly kind: 'session'; readonly session: Session; readonly step: SessionStep }
  | { readonly kind: 'failed'; readonly error: ApiError };

/** The console shows a spinner during the check. */
const timeoutMs = 10_000;

/** Returns true if the stored text, which has the fields of a session, has a user and a token that can be read. */
export const isReadable = ({ access_token, user }: Session): boolean =>
  parseTokenClaims(access_token) !== undefined && typeof findField(user, 'app_metadata') === 'object';

const check = async (): Promise<SessionCheck> => {
  // Throws if a session is stored and could not be refreshed.
  const session = await getCurrentSession();
  if (session !== null && isReadable(session))
    return { kind: 'session', session, step: getRequiredStep(session) };
  // Unless the user has signed in during the check, in another tab.
  if (session !== null || readStoredSession() === null) endLocalSession({ revoke: false });
  return { kind: 'none' };
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
