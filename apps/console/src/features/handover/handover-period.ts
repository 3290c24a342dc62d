/** The period in the URL: the last visit (no param), `24h`, `7d` or a date such as `2026-11-20`. */

const hourMs = 3_600_000;
const durations = new Map([
  ['24h', 24 * hourMs],
  ['7d', 7 * 24 * hourMs],
]);

/** Returns the valid param; undefined for the last visit. */
export const parsePeriod = (param: unknown): string | undefined => {
  if (typeof param !== 'string') return undefined;
  return durations.has(param) || isDate(param) ? param : undefined;
};

/** `Date` accepts 31 February as 3 March. */
export const isDate = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && localDate(new Date(`${text}T00:00`)) === text;

/** Returns the start as RFC 3339; a date starts at local midnight. Undefined for the last visit. */
export const periodStart = (period: string | undefined, now: Date): string | undefined => {
  if (period === undefined) return undefined;
  const duration = durations.get(period);
  return (
    duration === undefined ? new Date(`${period}T00:00`) : new Date(now.getTime() - duration)
  ).toISOString();
};

/** Returns the local date, as a date field has it. */
export const localDate = (now: Date): string =>
  [now.getFullYear(), now.getMonth() + 1, now.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
