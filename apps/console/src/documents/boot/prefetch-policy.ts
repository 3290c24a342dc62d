/** Whether a document may read as the stored session before the auth client is there. Pure, so that it can be tested. */

interface StoredIdentity {
  readonly userId: string;
  readonly token: string;
}

const part = (value: unknown, name: string): unknown => Reflect.get(Object(value), name);

/** Undefined for what cannot be read. */
const parsed = (text: () => string): unknown => {
  try {
    return JSON.parse(text());
  } catch {
    return undefined;
  }
};

/** Seconds. The auth client renews a token 90 seconds before its end; then the answers would not be its. */
const leastLife = 120;

/**
 * @param stored what local storage holds under the session's key.
 * @param now seconds since 1970.
 * @returns null unless the accounts screen would ask the same with the same token.
 */
export const prefetchIdentity = (
  pathname: string,
  stored: string | null,
  now: number,
): StoredIdentity | null => {
  if (pathname.replace(/\/+$/, '') !== '/admin/accounts') return null;
  const session = parsed(() => stored ?? '');
  const [user, token, end] = ['user', 'access_token', 'expires_at'].map((name) => part(session, name));
  const userId = part(user, 'id');
  if (typeof token !== 'string' || typeof userId !== 'string') return null;
  if (typeof end !== 'number' || end - now < leastLife) return null;
  if (part(part(user, 'app_metadata'), 'setup_required') === true) return null;
  const factors = part(user, 'factors');
  if (Array.isArray(factors) && factors.some((factor) => part(factor, 'status') === 'verified')) {
    // The token's own statement; only the service can tell whether it is true.
    const claims = /\.([^.]*)/.exec(token.replaceAll('-', '+').replaceAll('_', '/'))?.[1] ?? '';
    if (
      part(
        parsed(() => atob(claims)),
        'aal',
      ) !== 'aal2'
    )
      return null;
  }
  return { userId, token };
};
