/** Points in time as people read them, by the browser's own locale and time zone (`Intl`). */

const date = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const local = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });
const utc = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long', timeZone: 'UTC' });
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** Undefined for text that is no point in time, so that a strange answer never breaks a screen. */
const parsed = (iso: string): Date | undefined => {
  const time = new Date(iso);
  return Number.isNaN(time.getTime()) ? undefined : time;
};

/** The local date, for example 'Nov 21, 2026'; the text itself when it is no point in time. */
export const formatDate = (iso: string): string => {
  const time = parsed(iso);
  return time === undefined ? iso : date.format(time);
};

/** Local and UTC time to the second, on two lines. */
export const formatFullTime = (iso: string): string => {
  const time = parsed(iso);
  return time === undefined ? iso : `${local.format(time)}\n${utc.format(time)}`;
};

/** In UTC and ISO 8601, for pasting. */
export const formatIso = (iso: string): string => parsed(iso)?.toISOString() ?? iso;

const units = [
  { unit: 'year', milliseconds: 365.25 * 86_400_000 },
  { unit: 'month', milliseconds: 30.4375 * 86_400_000 },
  { unit: 'day', milliseconds: 86_400_000 },
  { unit: 'hour', milliseconds: 3_600_000 },
  { unit: 'minute', milliseconds: 60_000 },
] as const;

/** 'in 3 days', 'yesterday', 'now': the largest unit that counts at least one. */
export const formatRelativeTime = (iso: string, now: Date): string => {
  const time = parsed(iso);
  if (time === undefined) return iso;
  const distance = time.getTime() - now.getTime();
  const fitting = units.find((each) => Math.abs(distance) >= each.milliseconds);
  if (fitting === undefined) return relative.format(0, 'second');
  return relative.format(Math.round(distance / fitting.milliseconds), fitting.unit);
};
