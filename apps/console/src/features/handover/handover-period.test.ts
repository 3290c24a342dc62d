import { expect, it } from 'vitest';
import { parsePeriod, periodStart } from './handover-period.ts';

const now = new Date('2026-11-24T12:00:00Z');

it.each([
  ['24h', '24h'],
  ['7d', '7d'],
  ['2026-11-20', '2026-11-20'],
  ['2026-13-40', undefined],
  ['2026-02-31', undefined],
  ['yesterday', undefined],
  [7, undefined],
  [undefined, undefined],
])('parses %j as %j', (param, period) => {
  expect(parsePeriod(param)).toBe(period);
});

it('starts before now, at local midnight of a date, or at the last visit', () => {
  expect(periodStart('24h', now)).toBe('2026-11-23T12:00:00.000Z');
  expect(periodStart('7d', now)).toBe('2026-11-17T12:00:00.000Z');
  expect(periodStart('2026-11-20', now)).toBe(new Date(2026, 10, 20).toISOString());
  expect(periodStart('2099-01-01', now)).toBe(now.toISOString());
  expect(periodStart(undefined, now)).toBeUndefined();
});
