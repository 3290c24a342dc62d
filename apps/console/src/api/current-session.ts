/**
 * The session of this browser as requests use it. It has three outcomes: a session, none, or a service that cannot be
 * reached. A token that is still valid comes from the storage; only a refresh needs the auth client.
 */
import type { Session } from '@supabase/auth-js';
import { networkError } from './errors.ts';
import { loadCode } from './load-code.ts';
import { readStoredSession } from './stored-session.ts';

/** As `EXPIRY_MARGIN_MS` of the auth client: it refreshes a session that expires within this time, in milliseconds. */
const refreshMarginMs = 90_000;

/** Loads the client of the Auth API: an eighth of the code of the accounts screen, which would wait for it. */
export const loadAuthClient = () => loadCode(() => import('./auth-client.ts'));

/**
 * Returns the stored session, refreshed if it is about to expire, or null if there is none.
 *
 * @throws ApiError if the service could not be reached to refresh it. The session is kept.
 */
export const getCurrentSession = async (): Promise<Session | null> => {
  // Null can also be a failure of the storage, which the client reports.
  const stored = readStoredSession();
  const validMs = stored === null ? 0 : stored.expires_at * 1000 - Date.now();
  if (validMs >= refreshMarginMs) return stored as Session;
  const client = await loadAuthClient().catch((error: unknown) => {
    if (validMs > 0) return null;
    throw networkError(error);
  });
  return client === null ? (stored as Session) : client.getRefreshedSession();
};

/** Returns the token for one retry after a 401, or null if there is none. */
export const tokenForRetry = async (rejectedToken: string): Promise<string | null> => {
  const stored = await getCurrentSession();
  if (stored === null || stored.access_token !== rejectedToken) return stored?.access_token ?? null;
  return (await loadAuthClient()).refreshAccessToken();
};
