import { expect, it } from 'vitest';
import { slicesInTurns } from './slices.ts';

it('yields all slices in their order, with turns of the event loop between them', async () => {
  let turns = 0;
  let isRunning = true;
  const count = (): void => {
    turns += 1;
    if (isRunning) setImmediate(count);
  };
  setImmediate(count);
  const slices: (readonly number[])[] = [];
  const turnsBefore: number[] = [];
  for await (const slice of slicesInTurns<readonly number[]>([1, 2, 3, 4, 5], 2)) {
    slices.push(slice);
    turnsBefore.push(turns);
  }
  isRunning = false;
  expect(slices).toEqual([[1, 2], [3, 4], [5]]);
  expect(turnsBefore).toEqual(turnsBefore.toSorted((a, b) => a - b));
  expect(new Set(turnsBefore).size).toBe(3);
});

it('yields the slices of a text, and none of an empty one', async () => {
  const slicesOf = async (text: string): Promise<string[]> => {
    const slices: string[] = [];
    for await (const slice of slicesInTurns(text, 2)) slices.push(slice);
    return slices;
  };
  expect(await slicesOf('abc')).toEqual(['ab', 'c']);
  expect(await slicesOf('')).toEqual([]);
});
