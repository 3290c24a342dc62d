import { expect, it } from 'vitest';
import { createSingleWorker } from './single-worker.ts';

/** Starts that end when they are told to, and what they made. */
function startable() {
  const made: { fresh: boolean; ended: boolean; terminate(): Promise<void> }[] = [];
  const waiting: (() => void)[] = [];
  const start = async () => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    const worker = {
      fresh: true,
      ended: false,
      terminate: async () => {
        worker.ended = true;
      },
    };
    made.push(worker);
    return worker;
  };
  return { start, made, waiting };
}

it('REL-17 a slow start is shared by everybody who asks meanwhile', async () => {
  const { start, made, waiting } = startable();
  const held = createSingleWorker(start);
  const asked = [held.get(), held.get()];
  await Promise.resolve();
  asked.push(held.get());
  expect(waiting).toHaveLength(1);
  for (const go of waiting) go();
  const answers = await Promise.all(asked);
  expect(new Set(answers).size).toBe(1);
  expect(made).toHaveLength(1);
  // Nobody has used it yet, so it serves the next one as well.
  expect(await held.get()).toBe(made[0]);
  expect(held.starts).toBe(1);
});

it('REL-17 a used worker has ended before the next one starts', async () => {
  const { start, made, waiting } = startable();
  const held = createSingleWorker(async () => {
    expect(made.every(({ ended }) => ended)).toBe(true);
    return start();
  });
  for (let round = 1; round <= 3; round += 1) {
    const asked = held.get();
    await expect.poll(() => waiting.length).toBe(round);
    waiting.at(-1)?.();
    (await asked).fresh = false;
  }
  expect([made.length, held.starts]).toEqual([3, 3]);
});

it('REL-17 after the end nothing is started any more, and what was starting is handed over', async () => {
  const { start, made, waiting } = startable();
  const held = createSingleWorker(start);
  const asked = held.get();
  await expect.poll(() => waiting.length).toBe(1);
  const ending = held.end();
  waiting[0]?.();
  expect(await ending).toBe(await asked);
  (await asked).fresh = false;
  await expect(held.get()).rejects.toThrow('closed');
  expect([made.length, waiting.length]).toEqual([1, 1]);
});
