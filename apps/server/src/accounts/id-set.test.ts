import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { createIdSet } from './id-set.ts';

const toUuid = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
const random = (n: number): string => toUuid(createHash('sha256').update(String(n)).digest('hex'));
const sequential = (n: number): string => toUuid(n.toString(16).padStart(32, '0'));

it.each([
  ['random', random],
  ['sequential', sequential],
])('adds each of many %s IDs once', (_name, id) => {
  const set = createIdSet(4);
  const ids = Array.from({ length: 5000 }, (_, n) => id(n));
  expect(ids.every((each) => set.add(each))).toBe(true);
  expect(ids.some((each) => set.add(each))).toBe(false);
});
