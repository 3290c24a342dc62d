/** Formats timestamps in the locale and time zone of the browser. */

const local = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });
const utc = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long', timeZone: 'UTC' });

/** Returns undefined for an invalid timestamp, so that an unexpected response does not break a screen. */
export const tryParseTime = (iso: string): Date | undefined => {
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

/** The units of durations, the largest first. */
export const timeUnits = [
  { unit: 'year', milliseconds: 365.25 * 86_400_000 },
  { unit: 'month', milliseconds: 30.4375 * 86_400_000 },
  { unit: 'day', milliseconds: 86_400_000 },
  { unit: 'hour', milliseconds: 3_600_000 },
  minute,
] as const;

/** Returns a duration in its largest unit, for example `2 hours`. At least one minute. */
export const formatDuration = (milliseconds: number): string => {
  const largest = timeUnits.find((each) => milliseconds >= each.milliseconds) ?? minute;
  const format = new Intl.NumberFormat('en', { style: 'unit', unit: largest.unit, unitDisplay: 'long' });
  return format.format(Math.max(1, Math.round(milliseconds / largest.milliseconds)));
};

/** Returns the name of the time zone of the browser, for example `Europe/Oslo`. */
export const timeZoneName = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
