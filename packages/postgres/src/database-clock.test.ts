import { afterEach, expect, it, vi } from 'vitest';
import { createDatabaseClock } from './database-clock.ts';
import type { Transaction } from './database.ts';

afterEach(() => {
  vi.useRealTimers();
});

it('follows the clock of a database that answers more slowly than the one before', async () => {
  vi.useFakeTimers();
  const clock = createDatabaseClock();
  const read = async (answerMs: number, aheadMs: number): Promise<void> => {
    const query = async (): Promise<{ now: Date }[]> => {
      vi.advanceTimersByTime(answerMs / 2);
      const now = new Date(Date.now() + aheadMs);
      vi.advanceTimersByTime(answerMs / 2);
      return [{ now }];
    };
    await clock.read({ query } as unknown as Transaction);
  };
  const aheadMs = (): number => clock.estimate().getTime() - Date.now();
  await read(2, 1000);
  expect(aheadMs()).toBe(1000);
  // One slow answer says little.
  await read(400, 5000);
  expect(aheadMs()).toBe(1000);
  for (let count = 0; count < 20; count += 1) await read(400, 5000);
  expect(aheadMs()).toBe(5000);
});
