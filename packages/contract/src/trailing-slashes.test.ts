import { expect, it, vi } from 'vitest';
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

it('reads no slash before another character', () => {
  const read = vi.spyOn(String.prototype, 'charAt');
  removeTrailingSlashes(`${'/'.repeat(1000)}a//`);
  const reads = read.mock.calls.length;
  read.mockRestore();
  expect(reads).toBe(3);
});
