/** Decides whether the boot script can prefetch data with the stored session. */
import { removeTrailingSlashes } from '@lanternrock/contract/trailing-slashes';
import { fieldOf, tokenClaims } from '../../api/json.ts';
import { parseStoredSession } from '../../api/stored-session.ts';

interface StoredCredentials {
  readonly userId: string;
  readonly token: string;
}

/**
 * Minimum remaining lifetime of the token, in seconds. The auth client refreshes a token 90 seconds before it
 * expires; the responses for the old token would then be discarded.
 */
const minRemainingSeconds = 120;

/**
 * Returns the user and token for the prefetch.
 *
 * @param stored the local storage value under the session key, or null
 * @param now Unix time in seconds
 * @returns null unless the accounts screen would send the same requests with the same token
 */
export const prefetchIdentity = (
  pathname: string,
  stored: string | null,
  now: number,
): StoredCredentials | null => {
  if (removeTrailingSlashes(pathname) !== '/admin/accounts') return null;
  const session = parseStoredSession(stored);
  if (session === null || session.expires_at - now < minRemainingSeconds) return null;
  const { access_token: token } = session;
  const user = fieldOf(session, 'user');
  const userId = fieldOf(user, 'id');
  if (typeof userId !== 'string') return null;
  if (fieldOf(fieldOf(user, 'app_metadata'), 'setup_required') === true) return null;
  const factors = fieldOf(user, 'factors');
  const hasFactor = Array.isArray(factors) && factors.some((each) => fieldOf(each, 'status') === 'verified');
  return hasFactor && fieldOf(tokenClaims(token), 'aal') !== 'aal2' ? null : { userId, token };
};
