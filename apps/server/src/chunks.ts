import { setImmediate as nextTurn } from 'node:timers/promises';

/** Bytes that are worked on before everybody else gets a turn. */
const slice = 16_384;

/** The bytes in pieces, for a reader whose work would otherwise keep the service from answering. */
export async function* splitIntoChunks(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += slice) {
    yield bytes.subarray(from, from + slice);
    await nextTurn();
  }
}
