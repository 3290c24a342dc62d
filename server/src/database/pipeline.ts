/**
 * Several prepared statements under one Sync: an implicit transaction in one round trip
 * (PostgreSQL manual, "Extended Query" and "Pipelining"). `pg` sends one Sync per query, so this is
 * an object with the `submit` and `handle*` methods by which `pg` lets others drive a connection.
 */
import type pg from 'pg';
import { DatabaseUnavailable, type BatchResult, type Statement } from './database.ts';

/** The part of `pg`'s connection that is used here; its published types leave it out. */
export interface WireConnection {
  readonly stream: { cork(): void; uncork(): void; destroy(error: Error): unknown };
  parse(message: { name: string; text: string }): void;
  bind(message: {
    statement: string;
    values: readonly unknown[];
    valueMapper: (value: unknown) => unknown;
  }): void;
  execute(message: object): void;
  close(message: { type: 'S'; name: string }): void;
  sync(): void;
}

/** Prepared statements that a connection knows, oldest first. */
const preparedOn = new WeakMap<WireConnection, Map<string, string>>();
const preparedLimit = 400;
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
  #fresh: string[] = [];

  constructor(
    statements: readonly Statement[],
    planKey: string,
    settle: (error: Error | null, results: BatchResult[]) => void,
  ) {
    this.#statements = statements;
    this.#planKey = planKey;
    this.#settle = settle;
  }

  submit(connection: pg.Connection): void {
    const wire = connection as unknown as WireConnection;
    let prepared = preparedOn.get(wire);
    if (!prepared) {
      prepared = new Map();
      preparedOn.set(wire, prepared);
    }
    wire.stream.cork();
    for (const statement of this.#statements) {
      const name = this.#prepare(wire, prepared, statement.text);
      wire.bind({ statement: name, values: statement.values, valueMapper: wireValue });
      wire.execute({});
    }
    wire.sync();
    wire.stream.uncork();
  }

  #prepare(wire: WireConnection, prepared: Map<string, string>, text: string): string {
    const key = `${this.#planKey}\n${text}`;
    const known = prepared.get(key);
    if (known !== undefined) {
      prepared.delete(key);
      prepared.set(key, known);
      return known;
    }
    nameCounter += 1;
    const name = `s${nameCounter}`;
    wire.parse({ name, text });
    prepared.set(key, name);
    this.#fresh.push(key);
    if (prepared.size > preparedLimit) {
      const [oldestKey, oldestName] = prepared.entries().next().value ?? ['', ''];
      prepared.delete(oldestKey);
      wire.close({ type: 'S', name: oldestName });
    }
    return name;
  }

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

  /** After an error the names made here are forgotten: their Parse may have been skipped. */
  handleError(error: Error, connection: WireConnection): void {
    const prepared = preparedOn.get(connection);
    for (const key of this.#fresh) prepared?.delete(key);
    this.#settle(error, []);
  }

  handleReadyForQuery(): void {
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
  preparedOn.delete(connection);
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
