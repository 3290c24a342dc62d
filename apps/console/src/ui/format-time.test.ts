import { describe, expect, it } from 'vitest';
import { formatDate, formatFullTime, formatIso, formatRelativeTime } from './format-time.ts';

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
  it('contain the full local and UTC time', () => {
    expect(formatFullTime('2026-11-20T22:30:05.123456+00:00')).toMatch(/\n.*10:30:05.*UTC$/);
    expect(formatIso('2026-11-20T23:30:05+01:00')).toBe('2026-11-20T22:30:05.000Z');
  });
  it('return invalid text unchanged', () => {
    for (const format of [formatDate, formatFullTime, formatIso]) expect(format('soon')).toBe('soon');
    expect(formatRelativeTime('', now)).toBe('');
  });
});
