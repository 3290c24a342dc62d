import { expect, test } from '@playwright/test';
import { parseWalkRange } from '../support/walk/walk-range.ts';

test('parses the numbers of random walks, and rejects texts that would perform none', () => {
  expect(parseWalkRange('17')).toEqual({ first: 17, last: 17 });
  expect(parseWalkRange('1-200')).toEqual({ first: 1, last: 200 });
  for (const text of ['', 'abc', '17-', '-17', '1-2-3', '1.5', '200-1'])
    expect(() => parseWalkRange(text), text).toThrow('WALKS must be a number or a range such as 1-200.');
});
