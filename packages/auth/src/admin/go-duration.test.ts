import { describe, expect, it } from 'vitest';
import { parseGoDuration } from './go-duration.ts';

describe('durations', () => {
  it.each([
    ['24h', 86_400_000],
    ['1h30m', 5_400_000],
    ['1.5s', 1500],
    ['300ms', 300],
    ['0', 0],
    ['', null],
    ['24', null],
    ['-1h', null],
    ['h', null],
    ['1d', null],
    ['99999999999999999h', null],
  ])('parses %j to %s', (text, value) => {
    expect(parseGoDuration(text)).toBe(value);
  });
});
