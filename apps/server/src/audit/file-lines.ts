/** Reads the lines of a file with bounded memory. */
export interface FileLine {
  /** From 1. */
  readonly number: number;
  /** Without the line feed; null if the line is too long or no valid UTF-8. */
  readonly text: string | null;
  /** False for a last line without a line feed. */
  readonly isComplete: boolean;
}

const lineFeed = 0x0a;

/**
 * Yields the lines, which end with a line feed only: `readline` would also split at line separators inside JSON strings.
 *
 * @param chunks the bytes of the file
 * @param maxBytes longer lines end the iteration
 */
export async function* readFileLines(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<FileLine> {
  let number = 1;
  let parts: Buffer[] = [];
  let size = 0;
  for await (const bytes of chunks) {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
      parts.push(chunk.subarray(start, end));
      yield { number, text: tryDecode(Buffer.concat(parts)), isComplete: true };
      number += 1;
      parts = [];
      size = 0;
      start = end + 1;
    }
    parts.push(chunk.subarray(start));
    size += chunk.length - start;
    if (size > maxBytes) return yield { number, text: null, isComplete: false };
  }
  if (size > 0) yield { number, text: tryDecode(Buffer.concat(parts)), isComplete: false };
}

// `ignoreBOM` keeps a byte order mark, which is a change like any other.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function tryDecode(bytes: Buffer): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}
