import { afterEach, expect, it, vi } from 'vitest';
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

afterEach(() => {
  vi.useRealTimers();
});

it('runs 8 calls of a user at the same time, and starts the others in order', async () => {
  const limit = new CallLimit();
  const calls = Array.from({ length: 10 }, createCall);
  const other = createCall();
  const results = [
    ...calls.map(({ call }) => limit.run('user', undefined, call)),
    limit.run('other', undefined, other.call),
  ];
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
  const running = first.map(({ call }) => limit.run('user', undefined, call));
  const waiting = Array.from({ length: 200 }, () =>
    limit.run('user', undefined, () => Promise.reject(new Error('failed'))),
  );
  await expect(limit.run('user', undefined, () => Promise.resolve())).rejects.toMatchObject({ status: 429 });
  await expect(limit.run('other', undefined, () => Promise.resolve('read'))).resolves.toBe('read');
  await expect(limit.run(null, undefined, () => Promise.resolve('read'))).resolves.toBe('read');
  for (const { end } of first) end();
  await Promise.all(running);
  expect((await Promise.allSettled(waiting)).every(({ status }) => status === 'rejected')).toBe(true);
  await expect(limit.run('user', undefined, () => Promise.resolve('read'))).resolves.toBe('read');
});

it('rejects a call that has waited for ten seconds, and one whose client has left', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const limit = new CallLimit();
  const first = Array.from({ length: 8 }, createCall);
  const running = first.map(({ call }) => limit.run('user', undefined, call));
  const [left, late, last] = [createCall(), createCall(), createCall()];
  let leave = (): void => {};
  const remove = vi.fn();
  const onClientAbort = (listener: () => void): (() => void) => {
    leave = listener;
    return remove;
  };
  const statusOf = (error: unknown): unknown => (error as { status?: unknown }).status;
  const abandoned = limit.run('user', onClientAbort, left.call).catch(statusOf);
  const expired = limit.run('user', undefined, late.call).catch(statusOf);
  leave();
  expect(await abandoned).toBe(429);
  expect(remove).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(9_000);
  const waiting = limit.run('user', undefined, last.call);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await expired).toBe(429);
  for (const { end } of first) end();
  await Promise.all(running);
  expect([left.started, late.started, last.started]).toEqual([false, false, true]);
  last.end();
  await waiting;
});
