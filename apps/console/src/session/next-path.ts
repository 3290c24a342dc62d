/** Validates the path to return to after sign-in (`next`). Only paths below /admin are allowed. */

export const homePath = '/admin/accounts';

/** Says what a member of an account can do. */
export const membershipPath = '/admin/membership';

const placeholderOrigin = 'http://console.invalid';
/** Characters that a browser converts to a slash or removes. They are rejected before the URL is parsed. */
const ambiguousCharacters = /[\\\u0000-\u001f\u007f]|%5c|%2f|%00/i;

/**
 * Returns `next` as a path below /admin with its query, or null if it is anything else: another origin, a
 * protocol-relative URL, another document, a path with control characters or one that leaves /admin.
 */
export const safeNextPath = (next: string | null): string | null => {
  if (next === null || !next.startsWith('/admin/') || ambiguousCharacters.test(next.split('?')[0] ?? ''))
    return null;
  let url: URL;
  try {
    url = new URL(next, placeholderOrigin);
  } catch {
    return null;
  }
  if (url.origin !== placeholderOrigin || !url.pathname.startsWith('/admin/')) return null;
  return url.pathname + url.search;
};

/** Returns the URL of the sign-in screen that leads back to `path` afterwards. */
export const signInUrl = (path: string): string => {
  const next = safeNextPath(path);
  return next === null || next === homePath ? '/auth' : `/auth?next=${encodeURIComponent(next)}`;
};
