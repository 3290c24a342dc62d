import { expect, it } from 'vitest';
import { startOfDay, toDayInput } from './input-day.ts';

it('writes the local day', () => {
  expect(toDayInput(new Date(2026, 0, 5, 23, 59))).toBe('2026-01-05');
});

it('reads the start of a local day, and of a later one', () => {
  expect(startOfDay('2026-01-31')).toEqual(new Date(2026, 0, 31));
  expect(startOfDay('2026-12-31', 1)).toEqual(new Date(2027, 0, 1));
});

it.each(['2026-02-30', '2026-13-01', '2026-00-10', '2026-01-00', '0050-01-01', '2026-1-1', 'today', ''])(
  'rejects the day %j',
  (day) => {
    expect(startOfDay(day)).toBeUndefined();
  },
);
