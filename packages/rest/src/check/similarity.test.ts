import { expect, it } from 'vitest';
import { findClosestName, similarity } from './similarity.ts';

it.each([
  ['same', 'same', 1],
  ['book', 'books', 0.8],
  ['abcd', 'wxyz', 0],
  ['', '', 1],
  ['', 'ab', 0],
  ['kitten', 'sitting', 1 - 3 / 7],
])('returns the similarity of %s and %s: %f', (first, second, expected) => {
  expect(similarity(first, second)).toBeCloseTo(expected);
  expect(similarity(second, first)).toBeCloseTo(expected);
});

it('returns the closest name, and null if none is similar enough', () => {
  expect(findClosestName('acounts', ['accounts', 'account_members'])).toBe('accounts');
  expect(findClosestName('accounts', ['accounts'])).toBeNull();
  expect(findClosestName('x', ['accounts'])).toBeNull();
  expect(findClosestName('a'.repeat(100), ['a'.repeat(101)])).toBeNull();
});
