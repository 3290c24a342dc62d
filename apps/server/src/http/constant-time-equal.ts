import { timingSafeEqual } from 'node:crypto';

/** Compares in constant time, so that the timing does not reveal a common prefix. */
export function constantTimeEqual(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
