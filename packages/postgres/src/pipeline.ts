/**
 * Several prepared statements under one Sync: an implicit transaction in one round trip
 * (PostgreSQL manual, "Extended Query" and "Pipelining"). `pg` sends one Sync per query, so this is
 * an object with the `submit` and `handle*` methods by which `pg` lets others drive a connection.
 */
import type pg from 'pg';
import { serialize } from 'pg-protocol';
import { DatabaseUnavailableError } from './errors.ts';
import { type BatchResult, type Statement } from './database.ts';
import { PreparedStatements, type PreparedStatement } from './prepared-statements.ts';

/** The part of `pg`'s connection that is used here; its published types leave it out. */
export interface WireConnection {
  readonly stream: { write(bytes: Buffer): unknown; destroy(error: Error): unknown };
}

const preparedOn = new WeakMap<WireConnection, PreparedStatements>();

interface Message {
  readonly fields?: readonly (string | null)[];
  readonly text?: string;
}

export interface PipelineOptions {
  readonly planKey: string;
  /** False prepares every statement without a name, so that nothing is expected of the connection or left on it. */
  readonly named: boolean;
}

export class Pipeline implements pg.Submittable {
  readonly #statements: readonly Statement[];
  readonly #options: PipelineOptions;
  readonly #settle: (error: Error | null, results: BatchResult[]) => void;
  readonly #results: BatchResult[] = [];
  #rows: (string | null)[][] = [];
  /** Statements that this batch prepares under a name, with the index of their first use. */
  readonly #fresh = new Map<PreparedStatement, number>();
  #written = false;

  constructor(
    statements: readonly Statement[],
    options: PipelineOptions,
    settle: (error: Error | null, results: BatchResult[]) => void,
  ) {
    this.#statements = statements;
    this.#options = options;
    this.#settle = settle;
  }

  /** The connection listens to this batch from now on, until the server is ready for the next. */
  submit(connection: pg.Connection): void {
    const wire = connection as unknown as WireConnection;
    if (!this.#written) wire.stream.write(this.messages(wire));
  }

  /**
   * The whole batch as bytes, for one write: the system is called once, and the server never sees half of a batch.
   * The caller writes them before those of later batches, and submits in the same order.
   */
  messages(wire: WireConnection): Buffer {
    this.#written = true;
    const prepared = preparedOf(wire);
    // Before everything that may fail, or the server would skip it and keep the statements.
    const messages = prepared.takeDiscarded().map((name) => serialize.close({ type: 'S', name }));
    for (const [index, { text, values }] of this.#statements.entries()) {
      const { name, isNew } = this.#nameFor(prepared, text, index);
      if (isNew) messages.push(serialize.parse({ name, text }));
      messages.push(serialize.bind({ statement: name, values: [...values], valueMapper: wireValue }));
      messages.push(serialize.execute());
    }
    messages.push(serialize.sync());
    // Closed by the next batch: what this one uses stays.
    prepared.evict(this.#options.planKey);
    return Buffer.concat(messages);
  }

  #nameFor(prepared: PreparedStatements, text: string, index: number): { name: string; isNew: boolean } {
    const { planKey, named } = this.#options;
    if (!named) return { name: '', isNew: true };
    const known = prepared.find(planKey, text);
    if (known) return { name: known.name, isNew: false };
    const added = prepared.add(planKey, text);
    if (added) this.#fresh.set(added, index);
    return { name: added?.name ?? '', isNew: true };
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

  /** Keeps no statement that has not succeeded: neither a rejected one nor those after it, which never ran. */
  handleError(error: Error, connection: WireConnection): void {
    const prepared = preparedOf(connection);
    for (const [statement, index] of this.#fresh)
      if (index >= this.#results.length) prepared.discard(statement);
    this.#settle(error, []);
  }

  handleReadyForQuery(): void {
    // An engine that broke in the middle may say that it is ready; that must not pass for success.
    const whole = this.#results.length === this.#statements.length;
    this.#settle(
      whole ? null : new DatabaseUnavailableError('The answer of the database was not complete'),
      this.#results,
    );
  }
}

/** Discards all prepared statements of a connection, after DDL made their plans invalid. */
export function discardPlans(connection: WireConnection): void {
  preparedOf(connection).discardAll();
}

function preparedOf(connection: WireConnection): PreparedStatements {
  const known = preparedOn.get(connection);
  if (known) return known;
  const prepared = new PreparedStatements();
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
