/** Formats timestamps relative to now. */
import { timeUnits, tryParseTime } from './format-time.ts';

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always' });
/** With `now`, `yesterday` and `tomorrow`. */
const relativeWords = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

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
  const largest = timeUnits.find((each) => Math.abs(differenceMs) >= each.milliseconds);
  if (largest === undefined) return relativeWords.format(0, 'second');
  if (largest.unit === 'day') return relativeWords.format(localDay(time) - localDay(now), 'day');
  return relative.format(Math.round(differenceMs / largest.milliseconds), largest.unit);
};

/** Returns the relative time of something that has happened. A later time counts as now: clocks differ by seconds. */
export const formatPastTime = (iso: string, now: Date): string =>
  formatRelativeTime(iso, new Date(Math.max(now.getTime(), Date.parse(iso) || 0)));
