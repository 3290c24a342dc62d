import { expect, it } from 'vitest';
import { removeTrailingSlashes } from './trailing-slashes.ts';

it.each([
  ['', ''],
  ['/', ''],
  ['//', ''],
  ['/auth', '/auth'],
  ['/auth//', '/auth'],
  ['https://a.example/b/', 'https://a.example/b'],
  ['/a/\n', '/a/\n'],
])('converts %j to %j', (text, expected) => {
  expect(removeTrailingSlashes(text)).toBe(expected);
});

it('reads a run of slashes before another character only once', () => {
  // With one attempt for each slash, this takes longer than the timeout of a test.
  const text = `${'/'.repeat(400_000)}a`;
  expect(removeTrailingSlashes(`${text}//`) === text).toBe(true);
});
