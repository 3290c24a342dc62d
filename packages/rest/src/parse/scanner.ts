import { RestError } from '../errors.ts';
import type { Field, JsonStep } from '../plan/query-types.ts';

const identCharacter = /[\p{L}\p{N}_ $]/u;
const pathKeyEnd = /[(\-:.,>)]/;

/**
 * Scans a text of the query grammar from left to right. Errors are `RestError` 400 PGRST100 with the name of the text and
 * the position.
 */
export class Scanner {
  readonly text: string;
  readonly #what: string;
  position = 0;

  /** @param what name of the text in error messages, for example `select parameter` */
  constructor(text: string, what: string) {
    this.text = text;
    this.#what = what;
  }

  get ended(): boolean {
    return this.position >= this.text.length;
  }

  peek(): string {
    return this.text.charAt(this.position);
  }

  lookingAt(expected: string): boolean {
    return this.text.startsWith(expected, this.position);
  }

  /** Consumes `expected` if it is next, and returns whether it was. */
  take(expected: string): boolean {
    if (!this.lookingAt(expected)) return false;
    this.position += expected.length;
    return true;
  }

  expect(expected: string): void {
    if (!this.take(expected)) this.fail(`"${expected}"`);
  }

  skipSpaces(): void {
    while (this.peek() === ' ' || this.peek() === '\t') this.position += 1;
  }

  /** Consumes and returns the characters up to the first one of `ends`. */
  until(ends: string): string {
    const start = this.position;
    while (!this.ended && !ends.includes(this.peek())) this.position += 1;
    return this.text.slice(start, this.position);
  }

  fail(expecting: string): never {
    throw parseError(this.#what, this.text, this.position, expecting);
  }

  /** Throws the error for a text that is valid but exceeds a limit. */
  exceed(limit: string): never {
    throw limitError(this.#what, limit);
  }

  /** Consumes `"…"` with `\` escapes; returns null and consumes nothing if no closed quotation is next. */
  quoted(): string | null {
    if (this.peek() !== '"') return null;
    let value = '';
    for (let index = this.position + 1; index < this.text.length; index += 1) {
      const character = this.text.charAt(index);
      if (character === '"') {
        this.position = index + 1;
        return value;
      }
      if (character === '\\') index += 1;
      value += this.text.charAt(index);
    }
    return null;
  }

  /** Consumes the name of a column, relation, alias or hint. */
  name(): string {
    const quoted = this.quoted();
    if (quoted !== null) {
      if (quoted === '') this.fail('a name');
      return quoted;
    }
    const start = this.position;
    while (!this.ended) {
      const character = String.fromCodePoint(this.text.codePointAt(this.position) ?? 0);
      const inside = identCharacter.test(character) || (character === '-' && this.#dashInName(start));
      if (!inside) break;
      this.position += character.length;
    }
    const name = this.text.slice(start, this.position).trim();
    if (name === '') this.fail('a name');
    return name;
  }

  /** Returns true for a dash between two characters of a name; `->` starts a JSON path. */
  #dashInName(start: number): boolean {
    const next = this.text.charAt(this.position + 1);
    return this.position > start && next !== '>' && next !== '-' && identCharacter.test(next);
  }

  field(): Field {
    return { name: this.name(), path: this.jsonPath() };
  }

  jsonPath(): JsonStep[] {
    const steps: JsonStep[] = [];
    while (this.lookingAt('->')) {
      const arrow = this.take('->>') ? '->>' : '->';
      if (arrow === '->') this.expect('->');
      const quoted = this.quoted();
      const index = quoted === null ? this.#index() : null;
      const key = quoted ?? index ?? this.#pathKey();
      steps.push({ arrow, key, isIndex: index !== null });
      if (steps.length > 100) this.exceed('at most 100 steps of a JSON path');
    }
    return steps;
  }

  /** Consumes an array index: digits up to the end of the path step. */
  #index(): string | null {
    const digits = /^-?\d+(?=->|::|[.,)]|$)/.exec(this.text.slice(this.position, this.position + 16));
    if (!digits) return null;
    if (digits[0].length > 10) this.fail('an array index');
    this.position += digits[0].length;
    return digits[0];
  }

  #pathKey(): string {
    const start = this.position;
    if (/^-?\d/.test(this.text.slice(start, start + 2))) this.fail('an array index');
    while (!this.ended && !pathKeyEnd.test(this.peek())) this.position += 1;
    if (this.position === start) this.fail('a JSON key');
    return this.text.slice(start, this.position);
  }
}

/** Creates the error for a query text that exceeds a limit. The message states the limit and can be shown to users. */
export function limitError(what: string, limit: string): RestError {
  return new RestError(400, 'PGRST100', `The ${what} accepts ${limit}`);
}

/** Creates the error for a query text that violates the grammar. */
export function parseError(what: string, text: string, position: number, expecting: string): RestError {
  const excerpt = text.length > 200 ? `${text.slice(0, 200)}…` : text;
  const found = position < text.length ? `"${text.charAt(position)}"` : 'end of input';
  return new RestError(
    400,
    'PGRST100',
    `"failed to parse ${what} (${excerpt})" (line 1, column ${position + 1})`,
    {
      details: `unexpected ${found} expecting ${expecting}`,
    },
  );
}
