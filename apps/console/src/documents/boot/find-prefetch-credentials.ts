/** Finds the credentials with which the boot script can prefetch data. */
import { removeTrailingSlashes } from '@lanternrock/contract/trailing-slashes';
import { findField } from '../../api/json.ts';
import { parseStoredSession } from '../../api/stored-session.ts';
import { getRequiredStep } from '../../session/required-step.ts';

interface PrefetchCredentials {
  readonly userId: string;
  readonly token: string;
}

/**
 * Minimum time until the token expires. The auth client refreshes a token 90 seconds before it expires; the responses
 * for the old token would then be discarded.
 */
const minRemainingSeconds = 120;

/**
 * Returns the user and token for the prefetch.
 *
 * @param storedText the local storage value under the session key, or null
 * @param nowSeconds Unix time in seconds
 * @returns null unless the accounts screen would send the same requests with the same token
 */
export const findPrefetchCredentials = (
  pathname: string,
  storedText: string | null,
  nowSeconds: number,
): PrefetchCredentials | null => {
  if (removeTrailingSlashes(pathname) !== '/admin/accounts') return null;
  const session = parseStoredSession(storedText);
  if (session === null || session.expires_at - nowSeconds < minRemainingSeconds) return null;
  const userId = findField(session.user, 'id');
  if (typeof userId !== 'string' || getRequiredStep(session) !== 'ready') return null;
  return { userId, token: session.access_token };
};
