/** Splits data into chunks, so that long computations do not block the event loop. */
import { setImmediate as nextTurn } from 'node:timers/promises';

const chunkBytes = 16_384;

/** Yields the data in chunks, each in a later turn of the event loop. */
export async function* splitIntoChunks(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let offset = 0; offset < bytes.length; offset += chunkBytes) {
    yield bytes.subarray(offset, offset + chunkBytes);
    await nextTurn();
  }
}
