/** Tracks the named prepared statements of a connection, by plan key and text, up to a maximum size. */
import { createHash, randomBytes } from 'node:crypto';

/**
 * Maximum bytes of text per connection and plan key. Postgres uses 110 to 120 bytes of memory per byte of text for parse
 * tree, rewritten query and plan (measured with 15.18, statements of 0.4 to 12 kB), so this is 8 MB of its memory.
 */
const maxBytes = 64 * 1024;
/** Maximum bytes of one text. Longer statements are prepared on every use, so that one does not evict many others. */
const maxTextBytes = 8 * 1024;

/**
 * Random per process, because a pooler can assign one server connection to several processes. Within a process the hash
 * of plan key and text identifies a statement.
 */
const prefix = randomBytes(9).toString('base64url');

/** Uses 128 bits of the hash, to stay below the 63 bytes of a Postgres name. The text determines the inferred types. */
function nameFor(planKey: string, text: string): string {
  const hash = createHash('sha256').update(`${planKey}\0${text}`).digest().subarray(0, 16);
  return `${prefix}.${hash.toString('base64url')}`;
}

/** A named statement, compared by object identity: the same text can be prepared again under the same name. */
export interface PreparedStatement {
  readonly name: string;
  readonly text: string;
  readonly bytes: number;
  readonly planKey: string;
}

interface StatementSet {
  /** By text, least recently used first. */
  readonly byText: Map<string, PreparedStatement>;
  bytes: number;
}

export class PreparedStatements {
  readonly #byPlanKey = new Map<string, StatementSet>();
  #discarded: string[] = [];

  /** Returns the statement of this text, or null. */
  find(planKey: string, text: string): PreparedStatement | null {
    const statements = this.#byPlanKey.get(planKey);
    const found = statements?.byText.get(text);
    if (!statements || !found) return null;
    // The order matters only near the maximum, when statements are evicted.
    if (statements.bytes > maxBytes / 2) {
      statements.byText.delete(text);
      statements.byText.set(text, found);
    }
    return found;
  }

  /** Adds a statement that the caller prepares; returns null for a text that is too long. */
  add(planKey: string, text: string): PreparedStatement | null {
    const bytes = Buffer.byteLength(text);
    if (bytes > maxTextBytes) return null;
    const added = { name: nameFor(planKey, text), text, bytes, planKey };
    const statements = this.#byPlanKey.get(planKey) ?? {
      byText: new Map<string, PreparedStatement>(),
      bytes: 0,
    };
    this.#byPlanKey.set(planKey, statements);
    statements.byText.set(text, added);
    statements.bytes += bytes;
    return added;
  }

  /** Discards a statement, unless its text has been prepared again. */
  discard(statement: PreparedStatement): void {
    const { name, text, bytes, planKey } = statement;
    const statements = this.#byPlanKey.get(planKey);
    if (!statements || statements.byText.get(text) !== statement) return;
    statements.byText.delete(text);
    statements.bytes -= bytes;
    this.#discarded.push(name);
  }

  /** Discards the least recently used statements above the maximum. */
  evict(planKey: string): void {
    const statements = this.#byPlanKey.get(planKey);
    if (!statements) return;
    for (const oldest of statements.byText.values()) {
      if (statements.bytes <= maxBytes) return;
      this.discard(oldest);
    }
  }

  discardAll(): void {
    for (const { byText } of this.#byPlanKey.values())
      for (const statement of byText.values()) this.discard(statement);
  }

  /** Returns the statement names to close, and clears the list. Closing an unknown name is not an error. */
  takeDiscarded(): string[] {
    return this.#discarded.splice(0);
  }
}
