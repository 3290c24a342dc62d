import { expect, it } from 'vitest';
import { CallLimit } from './call-limit.ts';

/** A call that runs until `end` is called. */
function createCall(): { readonly call: () => Promise<void>; end: () => void; started: boolean } {
  const state = {
    started: false,
    end: () => {},
    call: () =>
      new Promise<void>((resolve) => {
        state.started = true;
        state.end = resolve;
      }),
  };
  return state;
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('runs 8 calls of a user at the same time, and starts the others in order', async () => {
  const limit = new CallLimit();
  const calls = Array.from({ length: 10 }, createCall);
  const other = createCall();
  const results = [...calls.map(({ call }) => limit.run('user', call)), limit.run('other', other.call)];
  await settle();
  expect(calls.map(({ started }) => started)).toEqual([...Array<boolean>(8).fill(true), false, false]);
  expect(other.started).toBe(true);
  calls[3]?.end();
  await settle();
  expect(calls.map(({ started }) => started)).toEqual([...Array<boolean>(9).fill(true), false]);
  for (const { end } of calls) end();
  await settle();
  for (const { end } of [...calls, other]) end();
  await Promise.all(results);
});

it('rejects a call that would be the 201st to wait, and accepts calls after a failure', async () => {
  const limit = new CallLimit();
  const first = Array.from({ length: 8 }, createCall);
  const running = first.map(({ call }) => limit.run('user', call));
  const waiting = Array.from({ length: 200 }, () =>
    limit.run('user', () => Promise.reject(new Error('failed'))),
  );
  await expect(limit.run('user', () => Promise.resolve())).rejects.toMatchObject({ status: 429 });
  await expect(limit.run('other', () => Promise.resolve('read'))).resolves.toBe('read');
  await expect(limit.run(null, () => Promise.resolve('read'))).resolves.toBe('read');
  for (const { end } of first) end();
  await Promise.all(running);
  expect((await Promise.allSettled(waiting)).every(({ status }) => status === 'rejected')).toBe(true);
  await expect(limit.run('user', () => Promise.resolve('read'))).resolves.toBe('read');
});
