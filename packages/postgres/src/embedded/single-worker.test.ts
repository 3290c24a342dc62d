import { afterEach, expect, it, vi } from 'vitest';
import { createSingleWorker } from './single-worker.ts';

/** Creates a `start` function whose calls wait for a callback in `waiting`, and records the started workers. */
function createControlledStart() {
  const started: { unused: boolean; terminated: boolean; terminate(): Promise<void> }[] = [];
  const waiting: (() => void)[] = [];
  const start = async () => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    const worker = {
      unused: true,
      terminated: false,
      terminate: async () => {
        worker.terminated = true;
      },
    };
    started.push(worker);
    return worker;
  };
  return { start, started, waiting };
}

afterEach(() => {
  vi.useRealTimers();
});

it('limits the rate of failing starts, and never stops starting', { tags: ['REL-17'] }, async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const attempts: number[] = [];
  const workers = createSingleWorker<{ unused: boolean; terminate(): Promise<void> }>(async () => {
    attempts.push(performance.now());
    throw new Error('no space');
  });
  for (let elapsedMs = 0; elapsedMs < 60_000; elapsedMs += 100) {
    await expect(workers.get()).rejects.toThrow('no space');
    vi.advanceTimersByTime(100);
  }
  const delays = attempts.slice(1).map((time, index) => time - (attempts[index] ?? 0));
  expect(delays.slice(0, 6)).toEqual([100, 100, 500, 1000, 2000, 4000]);
  expect(new Set(delays.slice(6))).toEqual(new Set([4000]));
  expect(workers.starts).toBe(attempts.length);
});

it('shares a slow start between concurrent calls', { tags: ['REL-17'] }, async () => {
  const { start, started, waiting } = createControlledStart();
  const workers = createSingleWorker(start);
  const calls = [workers.get(), workers.get()];
  await Promise.resolve();
  calls.push(workers.get());
  expect(waiting).toHaveLength(1);
  for (const resolve of waiting) resolve();
  const results = await Promise.all(calls);
  expect(new Set(results).size).toBe(1);
  expect(started).toHaveLength(1);
  // The worker is still unused, so the next call returns it too.
  expect(await workers.get()).toBe(started[0]);
  expect(workers.starts).toBe(1);
});

it('terminates a used worker before the next one starts', { tags: ['REL-17'] }, async () => {
  const { start, started, waiting } = createControlledStart();
  const workers = createSingleWorker(async () => {
    expect(started.every(({ terminated }) => terminated)).toBe(true);
    return start();
  });
  for (let round = 1; round <= 3; round += 1) {
    const call = workers.get();
    await expect.poll(() => waiting.length).toBe(round);
    waiting.at(-1)?.();
    (await call).unused = false;
  }
  expect([started.length, workers.starts]).toEqual([3, 3]);
});

it('starts no worker after close and returns the one that was starting', { tags: ['REL-17'] }, async () => {
  const { start, started, waiting } = createControlledStart();
  const workers = createSingleWorker(start);
  const call = workers.get();
  await expect.poll(() => waiting.length).toBe(1);
  const closing = workers.close();
  waiting[0]?.();
  expect(await closing).toBe(await call);
  (await call).unused = false;
  await expect(workers.get()).rejects.toThrow('closed');
  expect([started.length, waiting.length]).toEqual([1, 1]);
});
