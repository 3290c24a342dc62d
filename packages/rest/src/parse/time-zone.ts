/**
 * Accepts only IANA time zones. Postgres also accepts POSIX rules such as `X5Y` and caches each one for the lifetime of the
 * connection.
 */

/** Longer than every IANA name. */
const maxLength = 40;

/**
 * Excludes UTC offsets such as `+05:30`, which `Intl` accepts and Postgres reads as a POSIX rule. `Intl` rejects the other
 * POSIX rules.
 */
const namePattern = /^[a-z][a-z0-9_+-]*(\/[a-z0-9_+-]+){0,2}$/i;

/** Existing names in upper case. Bounded by the number of IANA time zones. */
const validNames = new Set<string>();

/** Returns true if the text is an IANA time zone name; case-insensitive. */
export function isTimeZone(text: string): boolean {
  if (text.length > maxLength || !namePattern.test(text)) return false;
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
