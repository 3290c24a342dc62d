import { describe, expect, it } from 'vitest';
import { formatPastTime, formatRelativeTime } from './format-relative-time.ts';
import { formatDate, formatFullTime, formatIso } from './format-time.ts';

const now = new Date('2026-11-21T12:00:00Z');

describe('formatted timestamps', () => {
  it('use the largest unit with a value of at least 1', () => {
    const texts = [
      '2026-11-24T12:00:00Z',
      '2026-11-20T11:00:00Z',
      '2026-11-21T11:58:00Z',
      '2027-01-21T12:00:00Z',
      '2026-11-21T12:00:20Z',
    ];
    expect(texts.map((text) => formatRelativeTime(text, now))).toEqual([
      'in 3 days',
      'yesterday',
      '2 minutes ago',
      'in 2 months',
      'now',
    ]);
  });
  it('call a day by its place in the calendar, and round no month or year to the next one', () => {
    for (const [from, to, text] of [
      ['2026-11-26T20:00', '2026-11-28T04:00', 'in 2 days'],
      ['2026-11-26T20:00', '2026-11-27T21:00', 'tomorrow'],
      ['2026-11-28T04:00', '2026-11-26T20:00', '2 days ago'],
      ['2026-11-26T20:00', '2027-01-08T20:00', 'in 1 month'],
      ['2026-11-26T20:00', '2026-10-20T20:00', '1 month ago'],
      ['2026-11-26T20:00', '2028-01-10T20:00', 'in 1 year'],
      ['2026-11-26T20:00', '2026-11-26T21:10', 'in 1 hour'],
    ] as const)
      expect(formatRelativeTime(to, new Date(from))).toBe(text);
  });
  it('call a past event now if the device clock is slow', () => {
    expect(
      ['2026-11-21T12:02:30Z', '2026-11-21T11:58:00Z', 'soon'].map((text) => formatPastTime(text, now)),
    ).toEqual(['now', '2 minutes ago', 'soon']);
  });
  it('contain the full local and UTC time', () => {
    expect(formatFullTime('2026-11-20T22:30:05.123456+00:00')).toMatch(/\n.*10:30:05.*UTC$/);
    expect(formatIso('2026-11-20T23:30:05+01:00')).toBe('2026-11-20T22:30:05.000Z');
  });
  it('return invalid text unchanged', () => {
    for (const format of [formatDate, formatFullTime, formatIso]) expect(format('soon')).toBe('soon');
    expect(formatRelativeTime('', now)).toBe('');
  });
});
