/** Formats timestamps in the locale and time zone of the browser. */

const local = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });
const utc = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long', timeZone: 'UTC' });
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always' });
/** With `now`, `yesterday` and `tomorrow`. */
const relativeWords = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** Returns undefined for an invalid timestamp, so that an unexpected response does not break a screen. */
const tryParseTime = (iso: string): Date | undefined => {
  const time = new Date(iso);
  return Number.isNaN(time.getTime()) ? undefined : time;
};

/** Returns a function that formats a local time, and returns an invalid text unchanged. */
const formatter = (options: Intl.DateTimeFormatOptions): ((iso: string) => string) => {
  const format = new Intl.DateTimeFormat(undefined, options);
  return (iso) => {
    const time = tryParseTime(iso);
    return time === undefined ? iso : format.format(time);
  };
};

/** Returns the local date, for example `Nov 21, 2026`. */
export const formatDate = formatter({ dateStyle: 'medium' });

/** Returns the local date and time to the minute. */
export const formatDateTime = formatter({ dateStyle: 'medium', timeStyle: 'short' });

/** Returns the local date and time to the second, for entries of a log. */
export const formatExactTime = formatter({ dateStyle: 'medium', timeStyle: 'medium' });

/** Returns the local and the UTC time to the second, on two lines. */
export const formatFullTime = (iso: string): string => {
  const time = tryParseTime(iso);
  return time === undefined ? iso : `${local.format(time)}\n${utc.format(time)}`;
};

/** Returns the time in UTC in ISO 8601 format, for the clipboard. */
export const formatIso = (iso: string): string => tryParseTime(iso)?.toISOString() ?? iso;

const minute = { unit: 'minute', milliseconds: 60_000 } as const;

const units = [
  { unit: 'year', milliseconds: 365.25 * 86_400_000 },
  { unit: 'month', milliseconds: 30.4375 * 86_400_000 },
  { unit: 'day', milliseconds: 86_400_000 },
  { unit: 'hour', milliseconds: 3_600_000 },
  minute,
] as const;

const localDay = (time: Date): number =>
  Date.UTC(time.getFullYear(), time.getMonth(), time.getDate()) / 86_400_000;

/**
 * Returns, for example, `in 3 days`, `yesterday` or `now`, in the largest unit with a value of at least 1. Days are those
 * of the local calendar.
 */
export const formatRelativeTime = (iso: string, now: Date): string => {
  const time = tryParseTime(iso);
  if (time === undefined) return iso;
  const differenceMs = time.getTime() - now.getTime();
  const largest = units.find((each) => Math.abs(differenceMs) >= each.milliseconds);
  if (largest === undefined) return relativeWords.format(0, 'second');
  if (largest.unit === 'day') return relativeWords.format(localDay(time) - localDay(now), 'day');
  return relative.format(Math.round(differenceMs / largest.milliseconds), largest.unit);
};

/** Returns a duration in its largest unit, for example `2 hours`. At least one minute. */
export const formatDuration = (milliseconds: number): string => {
  const largest = units.find((each) => milliseconds >= each.milliseconds) ?? minute;
  const format = new Intl.NumberFormat('en', { style: 'unit', unit: largest.unit, unitDisplay: 'long' });
  return format.format(Math.max(1, Math.round(milliseconds / largest.milliseconds)));
};

/** Returns the relative time of something that has happened. A later time counts as now: clocks differ by seconds. */
export const formatPastTime = (iso: string, now: Date): string =>
  formatRelativeTime(iso, new Date(Math.max(now.getTime(), Date.parse(iso) || 0)));

/** Returns the name of the time zone of the browser, for example `Europe/Oslo`. */
export const timeZoneName = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
