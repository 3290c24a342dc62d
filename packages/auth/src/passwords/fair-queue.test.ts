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

  it('removes an item, puts one back before the others of its client, and counts', () => {
    const queue = createQueue(['a1', 'a2', 'b1']);
    expect([queue.remove('a', 'a2'), queue.remove('a', 'a2'), queue.remove('c', 'a1')]).toEqual([
      true,
      false,
      false,
    ]);
    queue.add('a', 'a3');
    expect(queue.take()).toBe('a1');
    queue.putBack('a', 'a1');
    expect([queue.size, queue.countFor('a'), queue.countFor('b'), queue.countFor('c')]).toEqual([3, 2, 1, 0]);
    expect(takeAll(queue)).toEqual(['b1', 'a1', 'a3', undefined]);
    const left = createQueue(['a1', 'b1', 'a2']);
    expect([left.clear(), left.size, left.take()]).toEqual([['a1', 'a2', 'b1'], 0, undefined]);
  });
});
