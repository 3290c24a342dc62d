import { expect, it } from 'vitest';
import { describeRejections } from './describe-rejections.ts';

const lines = (from: number, count: number): number[] => Array.from({ length: count }, (_, n) => from + n);

it('names the lines of each reason, at most ten of them', () => {
  const rejections = new Map([
    ['No name', [3]],
    ['No type', [4, 9]],
    ['Too long', lines(10, 1500)],
  ]);
  expect(describeRejections(rejections)).toEqual([
    'line 3       rejected: No name',
    'lines 4, 9  rejected: No type',
    'lines 10, 11, 12, 13, 14, 15, 16, 17, 18, 19 and 1,490 more  rejected: Too long',
  ]);
  expect(describeRejections(new Map())).toEqual([]);
});

it('counts the rows of further reasons', () => {
  const rejections = new Map(lines(1, 502).map((n) => [`Reason ${n}`, [n, n + 1000]] as const));
  const printed = describeRejections(rejections);
  expect(printed).toHaveLength(501);
  expect(printed.at(-1)).toBe('... and 4 more. Use --results FILE to get all.');
});
