/** The period in the URL: the last visit (no param), `24h`, `7d` or a date such as `2026-11-20`. */
import { startOfDay } from '../../ui/input-day.ts';

const hourMs = 3_600_000;
const durations = new Map([
  ['24h', 24 * hourMs],
  ['7d', 7 * 24 * hourMs],
]);

/** Returns the valid param; undefined for the last visit. */
export const parsePeriod = (param: unknown): string | undefined => {
  if (typeof param !== 'string') return undefined;
  return durations.has(param) || startOfDay(param) !== undefined ? param : undefined;
};

/** Search params of the handover page. */
export const handoverSearchParams = { since: parsePeriod };

/** Returns the start as RFC 3339: local midnight of a date, at most now. Undefined for the last visit. */
export const periodStart = (period: string | undefined, now: Date): string | undefined => {
  if (period === undefined) return undefined;
  const duration = durations.get(period);
  const start = duration === undefined ? startOfDay(period) : new Date(now.getTime() - duration);
  return start && new Date(Math.min(start.getTime(), now.getTime())).toISOString();
};
