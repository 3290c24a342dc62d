/** Accepts IANA time zones only, because Postgres caches every other rule for the lifetime of a connection. */

/**
 * Excludes POSIX rules such as `X5Y`, because Postgres accepts and caches each of them for the lifetime of the
 * connection.
 */
const name = /^[a-z][a-z0-9_+-]*(\/[a-z0-9_+-]+){0,2}$/i;

/** Existing names in upper case. Bounded by the number of IANA time zones. */
const validNames = new Set<string>();

/** Returns true if the text is an IANA time zone name; case-insensitive. */
export function isTimeZone(text: string): boolean {
  if (text.length > 40 || !name.test(text)) return false;
  const upper = text.toUpperCase();
  if (validNames.has(upper)) return true;
  try {
    Intl.DateTimeFormat('en', { timeZone: text });
  } catch {
    return false;
  }
  validNames.add(upper);
  return true;
}
