/** Prepared statements that one connection keeps: by plan key and text, bounded by the bytes of their texts. */
import { createHash, randomBytes } from 'node:crypto';

/**
 * Maximum bytes of text per connection and plan key. Postgres holds 110 to 120 bytes for each: parse tree, rewritten
 * query and plan (measured with 15.18, statements of 0.4 to 12 kB), so this is 8 MB of its memory.
 */
const maxBytes = 64 * 1024;
/** Maximum bytes of one text. A longer statement is prepared at every use, so that it never displaces many others. */
const maxTextBytes = 8 * 1024;

/**
 * Random per process, so that a name never meets the statement of another process on a connection that a pooler
 * gives to both. Within the process the hash of plan key and text decides: equal names are equal statements.
 */
const prefix = randomBytes(9).toString('base64url');

/** 128 bits of hash, and below the 63 bytes that Postgres compares. Types are inferred, so the text implies them. */
function nameFor(planKey: string, text: string): string {
  const hash = createHash('sha256').update(`${planKey}\0${text}`).digest().subarray(0, 16);
  return `${prefix}.${hash.toString('base64url')}`;
}

/** A kept statement. Its identity counts: the same text may be prepared again under the same name. */
export interface PreparedStatement {
  readonly name: string;
  readonly text: string;
  readonly bytes: number;
  readonly planKey: string;
}

interface KeptStatements {
  /** By text, least recently used first. */
  readonly byText: Map<string, PreparedStatement>;
  bytes: number;
}

export class PreparedStatements {
  readonly #kept = new Map<string, KeptStatements>();
  #discarded: string[] = [];

  /** The kept statement for this text, or null. */
  find(planKey: string, text: string): PreparedStatement | null {
    const kept = this.#kept.get(planKey);
    const found = kept?.byText.get(text);
    if (!kept || !found) return null;
    // The order matters only when it soon decides what to close.
    if (kept.bytes > maxBytes / 2) {
      kept.byText.delete(text);
      kept.byText.set(text, found);
    }
    return found;
  }

  /** Keeps a statement that the caller prepares now; null for a text that is too long to keep. */
  add(planKey: string, text: string): PreparedStatement | null {
    const bytes = Buffer.byteLength(text);
    if (bytes > maxTextBytes) return null;
    const added = { name: nameFor(planKey, text), text, bytes, planKey };
    const kept = this.#kept.get(planKey) ?? { byText: new Map<string, PreparedStatement>(), bytes: 0 };
    this.#kept.set(planKey, kept);
    kept.byText.set(text, added);
    kept.bytes += bytes;
    return added;
  }

  /** Discards a statement, unless its text was prepared again since. */
  discard(statement: PreparedStatement): void {
    const { name, text, bytes, planKey } = statement;
    const kept = this.#kept.get(planKey);
    if (!kept || kept.byText.get(text) !== statement) return;
    kept.byText.delete(text);
    kept.bytes -= bytes;
    this.#discarded.push(name);
  }

  /** Discards the least recently used statements beyond the maximum. */
  evict(planKey: string): void {
    const kept = this.#kept.get(planKey);
    if (!kept) return;
    for (const oldest of kept.byText.values()) {
      if (kept.bytes <= maxBytes) return;
      this.discard(oldest);
    }
  }

  discardAll(): void {
    for (const { byText } of this.#kept.values())
      for (const statement of byText.values()) this.discard(statement);
  }

  /** Returns the names to close before anything else is sent. Closing a name that does not exist is no error. */
  takeDiscarded(): string[] {
    return this.#discarded.splice(0);
  }
}
