/** Splits long work, so that other requests run between its parts. */
import { setImmediate as nextTurn } from 'node:timers/promises';

interface Sliceable<T> {
  readonly length: number;
  slice(start: number, end: number): T;
}

/** Yields each slice of a text or a list in a later turn of the event loop. Not inside a transaction. */
export async function* slicesInTurns<T extends Sliceable<T>>(
  whole: T,
  length: number,
): AsyncGenerator<T, void, undefined> {
  for (let start = 0; start < whole.length; start += length) {
    yield whole.slice(start, start + length);
    await nextTurn();
  }
}
