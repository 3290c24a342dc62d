/**
 * Runs several prepared statements with one Sync, as an implicit transaction in one round trip (PostgreSQL manual,
 * "Extended Query" and "Pipelining"). `pg` sends one Sync per query, so `Pipeline` implements the `submit` and
 * `handle*` methods of its query objects.
 */
import type pg from 'pg';
import { serialize } from 'pg-protocol';
import { DatabaseUnavailableError } from './errors.ts';
import type { BatchResult, Statement } from './database.ts';
import { PreparedStatements, type PreparedStatement } from './prepared-statements.ts';
import type { WireConnection } from './wire-connection.ts';

const statementsByConnection = new WeakMap<WireConnection, PreparedStatements>();

interface Message {
  readonly fields?: readonly (string | null)[];
  readonly text?: string;
}

export interface PipelineOptions {
  readonly planKey: string;
  /** False prepares every statement unnamed, so the batch neither needs nor changes the state of the connection. */
  readonly named: boolean;
}

export class Pipeline implements pg.Submittable {
  readonly #statements: readonly Statement[];
  readonly #options: PipelineOptions;
  readonly #onDone: (error: Error | null, results: BatchResult[]) => void;
  readonly #results: BatchResult[] = [];
  #rows: (string | null)[][] = [];
  /** Named statements that this batch prepares, with the index of their first use. */
  readonly #added = new Map<PreparedStatement, number>();
  #written = false;

  constructor(
    statements: readonly Statement[],
    options: PipelineOptions,
    onDone: (error: Error | null, results: BatchResult[]) => void,
  ) {
    this.#statements = statements;
    this.#options = options;
    this.#onDone = onDone;
  }

  /** Called by `pg`, which then passes server messages to this batch until ReadyForQuery. */
  submit(connection: pg.Connection): void {
    const wire = connection as unknown as WireConnection;
    if (!this.#written) wire.stream.write(this.messages(wire));
  }

  /**
   * Returns the messages of the batch for one write, so that the server never receives part of a batch. Batches must
   * be submitted in the order in which their messages are written.
   */
  messages(wire: WireConnection): Buffer {
    this.#written = true;
    const prepared = getPreparedStatements(wire);
    // First, because after an error the server skips the remaining messages and would not close the statements.
    const messages = prepared.takeDiscarded().map((name) => serialize.close({ type: 'S', name }));
    for (const [index, { text, values }] of this.#statements.entries()) {
      const { name, isNew } = this.#nameFor(prepared, text, index);
      if (isNew) messages.push(serialize.parse({ name, text }));
      messages.push(serialize.bind({ statement: name, values: [...values], valueMapper: wireValue }));
      messages.push(serialize.execute());
    }
    messages.push(serialize.sync());
    // The next batch closes the evicted statements, so this batch can still use them.
    prepared.evict(this.#options.planKey);
    return Buffer.concat(messages);
  }

  #nameFor(prepared: PreparedStatements, text: string, index: number): { name: string; isNew: boolean } {
    const { planKey, named } = this.#options;
    if (!named) return { name: '', isNew: true };
    const known = prepared.find(planKey, text);
    if (known) return { name: known.name, isNew: false };
    const added = prepared.add(planKey, text);
    if (added) this.#added.set(added, index);
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

  /** Discards the statements that this batch added and that failed or did not run. */
  handleError(error: Error, connection: WireConnection): void {
    const prepared = getPreparedStatements(connection);
    for (const [statement, index] of this.#added)
      if (index >= this.#results.length) prepared.discard(statement);
    this.#onDone(error, []);
  }

  handleReadyForQuery(): void {
    // A failed engine can send ReadyForQuery without all results, which must not count as success.
    const complete = this.#results.length === this.#statements.length;
    this.#onDone(
      complete ? null : new DatabaseUnavailableError('The response of the database is incomplete'),
      this.#results,
    );
  }
}

/** Discards all prepared statements of a connection, because DDL has invalidated their plans. */
export function discardPlans(connection: WireConnection): void {
  getPreparedStatements(connection).discardAll();
}

function getPreparedStatements(connection: WireConnection): PreparedStatements {
  const known = statementsByConnection.get(connection);
  if (known) return known;
  const prepared = new PreparedStatements();
  statementsByConnection.set(connection, prepared);
  return prepared;
}

/** Converts a bound value to its text format. Postgres infers the types. */
function wireValue(value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || Buffer.isBuffer(value)) return value;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return arrayLiteral(value);
  if (typeof value === 'object') return JSON.stringify(value);
  return String(value);
}

/** Returns a Postgres array literal. All elements are quoted, so none is parsed as NULL or as a brace. */
function arrayLiteral(values: readonly unknown[]): string {
  const elements = values.map((value) =>
    value === null || value === undefined ? 'NULL' : `"${String(value).replace(/[\\"]/g, '\\$&')}"`,
  );
  return `{${elements.join(',')}}`;
}
