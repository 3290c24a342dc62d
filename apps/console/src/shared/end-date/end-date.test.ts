import { expect, it } from 'vitest';
import { endDateSchema, endPresets } from './end-date.ts';

it('suggests evenings in the future', () => {
  const labels = (now: string) => endPresets(new Date(now)).map(({ label, value }) => [label, value]);
  // A Wednesday.
  expect(labels('2026-11-25T10:00')).toEqual([
    ['This evening', '2026-11-25T20:00'],
    ['Sunday evening', '2026-11-29T20:00'],
    ['In 7 days', '2026-12-02T20:00'],
    ['In 30 days', '2026-12-25T20:00'],
    ['No end date', ''],
  ]);
  // Sunday morning, and late on a Sunday.
  expect(labels('2026-11-29T10:00')[1]).toEqual(['Sunday evening', '2026-11-29T20:00']);
  expect(labels('2026-11-29T21:00')[0]).toEqual(['Sunday evening', '2026-12-06T20:00']);
});

it('accepts a future time or none', () => {
  expect(endDateSchema.parse({ ends_at: '' })).toEqual({ ends_at: null });
  expect(endDateSchema.parse({ ends_at: '2999-01-01T10:00' })).toEqual({
    ends_at: new Date('2999-01-01T10:00').toISOString(),
  });
  for (const [ends_at, message] of [
    ['2020-01-01T10:00', 'Select a time in the future'],
    ['tomorrow', 'Enter a date and a time'],
  ])
    expect(endDateSchema.safeParse({ ends_at }).error?.issues[0]?.message).toBe(message);
});
