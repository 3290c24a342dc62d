/** The way back to a page after signing in again. Only paths of the console are ever followed. */

export const homePath = '/admin/accounts';

const placeholderOrigin = 'http://console.invalid';
/** Characters that browsers read as a slash, or drop, are refused before anything is parsed. */
const misread = /[\\\u0000-\u001f\u007f]|%5c|%2f|%00/i;

/**
 * `next` as a path below /admin with its search, or null for everything else: other origins,
 * protocol-relative addresses, other documents, control characters, paths that climb out.
 */
export const safeNextPath = (next: string | null): string | null => {
  if (next === null || !next.startsWith('/admin/') || misread.test(next.split('?')[0] ?? '')) return null;
  let url: URL;
  try {
    url = new URL(next, placeholderOrigin);
  } catch {
    return null;
  }
  if (url.origin !== placeholderOrigin || !url.pathname.startsWith('/admin/')) return null;
  return url.pathname + url.search;
};

/** The address of the sign-in screen with a way back to `path`. */
export const signInUrl = (path: string): string => {
  const next = safeNextPath(path);
  return next === null || next === homePath ? '/auth' : `/auth?next=${encodeURIComponent(next)}`;
};
