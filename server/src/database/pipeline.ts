/**
 * Several prepared statements under one Sync: an implicit transaction in one round trip
 * (PostgreSQL manual, "Extended Query" and "Pipelining"). `pg` sends one Sync per query, so this is
 * an object with the `submit` and `handle*` methods by which `pg` lets others drive a connection.
 */
import type pg from 'pg';
import { serialize } from 'pg-protocol';
import { DatabaseUnavailable, type BatchResult, type Statement } from './database.ts';

/** The part of `pg`'s connection that is used here; its published types leave it out. */
export interface WireConnection {
  readonly stream: { write(bytes: Buffer): unknown; destroy(error: Error): unknown };
  on(event: 'parseComplete', listener: () => void): void;
  off(event: 'parseComplete', listener: () => void): void;
}

/** What a connection knows. */
interface Prepared {
  /** Names of statements by plan key and text, the longest unused first. */
  readonly names: Map<string, Map<string, string>>;
  /** Statements that the server still holds and nobody here will use again. */
  readonly discarded: string[];
}
const preparedOn = new WeakMap<WireConnection, Prepared>();
/** Statements that a connection keeps per plan key. */
const preparedLimit = 150;
let nameCounter = 0;

interface Message {
  readonly fields?: readonly (string | null)[];
  readonly text?: string;
}

export class Pipeline implements pg.Submittable {
  readonly #statements: readonly Statement[];
  readonly #planKey: string;
  readonly #settle: (error: Error | null, results: BatchResult[]) => void;
  readonly #results: BatchResult[] = [];
  #rows: (string | null)[][] = [];
  /** Statements that this batch makes, in order: their texts by name. */
  readonly #fresh = new Map<string, string>();
  #parsed = 0;
  #written = false;

  constructor(
    statements: readonly Statement[],
    planKey: string,
    settle: (error: Error | null, results: BatchResult[]) => void,
  ) {
    this.#statements = statements;
    this.#planKey = planKey;
    this.#settle = settle;
  }

  /** The connection listens to this batch from now on, until the server is ready for the next. */
  submit(connection: pg.Connection): void {
    const wire = connection as unknown as WireConnection;
    if (!this.#written) wire.stream.write(this.messages(wire));
    if (this.#fresh.size > 0) wire.on('parseComplete', this.#countParsed);
  }

  /**
   * The whole batch as bytes, for one write: the system is called once, and nobody sees half of a batch. Who
   * takes them writes them, before what is taken later, and submits in the same order.
   */
  messages(wire: WireConnection): Buffer {
    this.#written = true;
    const prepared = preparedOf(wire);
    const names = this.#statements.map(({ text }) => this.#nameOf(prepared, text));
    // Before everything that may fail, or the server would pass over it and keep them for ever.
    const messages = prepared.discarded.splice(0).map((name) => serialize.close({ type: 'S', name }));
    const unparsed = new Set(this.#fresh.keys());
    for (const [index, { text, values }] of this.#statements.entries()) {
      const name = names[index] ?? '';
      if (unparsed.delete(name)) messages.push(serialize.parse({ name, text }));
      messages.push(serialize.bind({ statement: name, values: [...values], valueMapper: wireValue }));
      messages.push(serialize.execute());
    }
    messages.push(serialize.sync());
    return Buffer.concat(messages);
  }

  #nameOf({ names, discarded }: Prepared, text: string): string {
    let ofKey = names.get(this.#planKey);
    if (!ofKey) names.set(this.#planKey, (ofKey = new Map<string, string>()));
    const known = ofKey.get(text);
    if (known !== undefined) {
      // While there is room it does not matter which is the oldest.
      if (ofKey.size > preparedLimit / 2) {
        ofKey.delete(text);
        ofKey.set(text, known);
      }
      return known;
    }
    nameCounter += 1;
    const name = `s${nameCounter}`;
    ofKey.set(text, name);
    this.#fresh.set(name, text);
    if (ofKey.size > preparedLimit) {
      const [oldestText, oldestName] = ofKey.entries().next().value ?? ['', ''];
      ofKey.delete(oldestText);
      discarded.push(oldestName);
    }
    return name;
  }

  readonly #countParsed = (): void => {
    this.#parsed += 1;
  };

  handleRowDescription(): void {}

  handleDataRow(message: Message): void {
    this.#rows.push([...(message.fields ?? [])]);
  }

  handleCommandComplete(message: Message): void {
    const affected = /(\d+)$/.exec(message.text ?? '');
    this.#results.push({ rows: this.#rows, affected: affected ? Number(affected[1]) : 0 });
    this.#rows = [];
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({});
  }

  /** After an error the server knows the statements whose Parse it answered, and none behind them. */
  handleError(error: Error, connection: WireConnection): void {
    connection.off('parseComplete', this.#countParsed);
    const ofKey = preparedOn.get(connection)?.names.get(this.#planKey);
    // A batch that was taken later may have given the text another name.
    for (const [name, text] of [...this.#fresh].slice(this.#parsed))
      if (ofKey?.get(text) === name) ofKey.delete(text);
    this.#settle(error, []);
  }

  handleReadyForQuery(connection: WireConnection): void {
    connection.off('parseComplete', this.#countParsed);
    // An engine that broke in the middle may say that it is ready; that must not pass for success.
    const whole = this.#results.length === this.#statements.length;
    this.#settle(
      whole ? null : new DatabaseUnavailable('The answer of the database was not complete'),
      this.#results,
    );
  }
}

/** Forgets all plans of a connection, after DDL made them invalid. */
export function forgetPlans(connection: WireConnection): void {
  const { names, discarded } = preparedOf(connection);
  for (const ofKey of names.values()) discarded.push(...ofKey.values());
  names.clear();
}

function preparedOf(connection: WireConnection): Prepared {
  const known = preparedOn.get(connection);
  if (known) return known;
  const prepared: Prepared = { names: new Map(), discarded: [] };
  preparedOn.set(connection, prepared);
  return prepared;
}

/** Bound values travel as text; Postgres infers their types. */
function wireValue(value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || Buffer.isBuffer(value)) return value;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return arrayLiteral(value);
  if (typeof value === 'object') return JSON.stringify(value);
  return String(value);
}

/** A Postgres array literal; every element quoted, so no element is read as NULL or as a brace. */
function arrayLiteral(values: readonly unknown[]): string {
  const elements = values.map((value) =>
    value === null || value === undefined ? 'NULL' : `"${String(value).replace(/[\\"]/g, '\\$&')}"`,
  );
  return `{${elements.join(',')}}`;
}
