import { describe, expect, it } from 'vitest';
import { FairQueue } from './fair-queue.ts';

describe('the queue of hash jobs', { tags: ['AUTH-55'] }, () => {
  const createQueue = (items: readonly string[]): FairQueue<string> => {
    const queue = new FairQueue<string>();
    for (const item of items) queue.add(item.charAt(0), item);
    return queue;
  };
  const takeAll = (queue: FairQueue<string>): (string | undefined)[] =>
    Array.from({ length: queue.size + 1 }, () => queue.take());

  it('serves clients in turn, and the jobs of each client in order', () => {
    const inTurn = ['a1', 'b1', 'c1', 'a2', 'c2', 'a3'];
    expect(takeAll(createQueue(['a1', 'a2', 'a3', 'b1', 'c1', 'c2']))).toEqual([...inTurn, undefined]);
  });

  it('removes a queued item once', () => {
    const queue = createQueue(['a1', 'a2']);
    expect(queue.remove('a', 'a2')).toBe(true);
    expect(queue.remove('a', 'a2')).toBe(false);
    expect(queue.remove('c', 'a1')).toBe(false);
    expect(takeAll(queue)).toEqual(['a1', undefined]);
  });

  it('puts an item back before the others of its client', () => {
    const queue = createQueue(['a1', 'a2', 'b1']);
    expect(queue.take()).toBe('a1');
    queue.putBack('a', 'a1');
    expect(takeAll(queue)).toEqual(['b1', 'a1', 'a2', undefined]);
  });

  it('counts all items and those of each client', () => {
    const queue = createQueue(['a1', 'a2', 'b1']);
    expect([queue.size, queue.countFor('a'), queue.countFor('b'), queue.countFor('c')]).toEqual([3, 2, 1, 0]);
  });

  it('returns all items when it is cleared', () => {
    const queue = createQueue(['a1', 'b1', 'a2']);
    expect(queue.clear()).toEqual(['a1', 'a2', 'b1']);
    expect([queue.size, queue.take()]).toEqual([0, undefined]);
  });
});
