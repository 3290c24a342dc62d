/** Time zones that a request may name. */

/** Postgres would also read rules as `X5Y`, and keeps each that it ever met as long as the connection lives. */
const name = /^[a-z][a-z0-9_+-]*(\/[a-z0-9_+-]+){0,2}$/i;

/** Upper-case names that were found to exist; there are only so many. */
const known = new Set<string>();

/** Whether the text is a name of the IANA database, in any case. */
export function isTimeZone(text: string): boolean {
  if (text.length > 40 || !name.test(text)) return false;
  const upper = text.toUpperCase();
  if (known.has(upper)) return true;
  try {
    Intl.DateTimeFormat('en', { timeZone: text });
  } catch {
    return false;
  }
  known.add(upper);
  return true;
}
