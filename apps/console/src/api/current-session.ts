/**
 * The session of this browser as requests use it. It has three outcomes: a session, none, or a service that cannot be
 * reached. A token that is still valid comes from the storage. Only a refresh, and storage with other content or an error, need
 * the auth client.
 */
import type { Session } from '@supabase/auth-js';
import { timeoutError, withTimeout } from './deadline.ts';
import { networkError } from './errors.ts';
import { loadCode } from './load-code.ts';
import { reportMissingSession } from './local-session.ts';
import { isSessionAbsent, readStoredSession } from './stored-session.ts';

/** As `EXPIRY_MARGIN_MS` of the auth client: it refreshes a session that expires within this time, in milliseconds. */
const refreshMarginMs = 90_000;

/** Maximum waits for the code of the client, in milliseconds: with a token that is still valid, and with an expired one. */
const validCodeTimeoutMs = 3000;
const expiredCodeTimeoutMs = 9000;

/** Loads the client of the Auth API. It is an eighth of the initial bundle, so the console does not wait for it. */
export const loadAuthClient = () => loadCode(() => import('./auth-client.ts'));

/** @throws ApiError of a service that cannot be reached */
const requireAuthClient = (timeoutMs: number): ReturnType<typeof loadAuthClient> =>
  withTimeout(loadAuthClient(), timeoutMs, timeoutError).catch((error: unknown) => {
    throw networkError(error);
  });

/**
 * Returns the stored session, refreshed if it is about to expire, or null if there is none.
 *
 * @throws ApiError if the service could not be reached to refresh it. The session is kept.
 */
export const getCurrentSession = async (): Promise<Session | null> => {
  if (isSessionAbsent()) {
    reportMissingSession();
    return null;
  }
  const stored = readStoredSession();
  const validMs = stored === null ? 0 : stored.expires_at * 1000 - Date.now();
  if (validMs >= refreshMarginMs) return stored as Session;
  if (validMs <= 0) return (await requireAuthClient(expiredCodeTimeoutMs)).getRefreshedSession();
  const client = await requireAuthClient(validCodeTimeoutMs).catch(() => null);
  return client === null ? (stored as Session) : client.getRefreshedSession();
};

/**
 * Returns the token for one retry after a 401, or null if there is none.
 *
 * @throws ApiError if the service could not be reached to refresh the session
 */
export const tokenForRetry = async (rejectedToken: string): Promise<string | null> => {
  const stored = await getCurrentSession();
  if (stored === null || stored.access_token !== rejectedToken) return stored?.access_token ?? null;
  return (await requireAuthClient(expiredCodeTimeoutMs)).refreshAccessToken();
};
