/** Reads the lines of a file with bounded memory. */
import fs from 'node:fs';

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
 * @param maxBytes longer lines end the iteration
 */
export async function* readFileLines(file: string, maxBytes: number): AsyncGenerator<FileLine> {
  let number = 1;
  let parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of fs.createReadStream(file) as AsyncIterable<Buffer>) {
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
