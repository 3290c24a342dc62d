import { expect, it } from 'vitest';
import { parseTimeoutMs } from './parse-timeout.ts';

it.each<[string, number | null]>([
  ['5000', 5000],
  ['5s', 5000],
  [' 1.5 min ', 90_000],
  ['250us', 1],
  ['2h', 7_200_000],
  ['1d', 86_400_000],
  ['0', null],
  ['0s', null],
  ['', null],
  ['5 years', null],
  ['constructor', null],
  ['1 constructor', null],
])('reads "%s"', (setting, expected) => {
  expect(parseTimeoutMs(setting)).toBe(expected);
});
