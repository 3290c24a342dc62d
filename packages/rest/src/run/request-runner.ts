/** Runs the statements of a request with the role of the client and the limits of the settings. */
import { LRUCache } from 'lru-cache';
import type { Database, Statement, Transaction } from '@lanternrock/postgres';
import { compileExplain } from '../compile/sql-builder.ts';
import type { ParsedRequest } from '../parse/parse-request.ts';
import type { DatabaseRole, Principal, RestRequest } from '../rest-types.ts';
import { quoteIdentifier } from '../schema/quote-identifier.ts';
import type { SchemaCacheManager } from '../schema/schema-cache-manager.ts';
import type { RestSettings } from '../settings.ts';
import { CallLimit } from './call-limit.ts';
import {
  readRequestSettings,
  settingsStatements,
  type CreateSettingsStatement,
  type SessionFunctions,
  type TransactionSettings,
} from './request-settings.ts';

/** A parsed request with its principal. */
export interface AuthenticatedRequest extends Pick<
  RestRequest,
  'requestId' | 'origin' | 'readBody' | 'onClientAbort'
> {
  readonly request: ParsedRequest;
  readonly principal: Principal;
}

export interface RequestRunnerOptions {
  readonly settings: RestSettings;
  readonly database: Database;
  readonly schemaCache: SchemaCacheManager;
  readonly sessionFunctions: SessionFunctions | null;
}

export interface RunOptions {
  readonly readOnly: boolean;
  /** Runs after the statement in the same round trip. */
  readonly next?: Statement | undefined;
  /** `statement_timeout` of the called function, in milliseconds; null without one. */
  readonly timeoutMs?: number | null;
}

/** Columns of the result row, in the order of the compiled statement. */
export type ResultRow = readonly (string | null)[];

interface StatementResult {
  /** Rows of the main statement; a single row, except for query plans. */
  readonly rows: readonly ResultRow[];
  /** Rows of the second statement, if any. */
  readonly next: readonly ResultRow[];
}

export class RequestRunner {
  readonly database: Database;
  readonly #settings: RestSettings;
  readonly #schemaCache: SchemaCacheManager;
  readonly #createSettings: CreateSettingsStatement;
  readonly #callLimit = new CallLimit();
  /**
   * Role of each user's last request. Prepared statements are stored per role, so a correct prediction reuses their plans.
   * A wrong prediction costs time, and no rights: the database determines the role of each request.
   */
  readonly #lastRoles = new LRUCache<string, string>({ max: 10_000 });

  constructor({ settings, database, schemaCache, sessionFunctions }: RequestRunnerOptions) {
    this.database = database;
    this.#settings = settings;
    this.#schemaCache = schemaCache;
    this.#createSettings = settingsStatements(database, sessionFunctions);
  }

  /**
   * Runs a statement; with EXPLAIN or a rollback if the request requires it.
   *
   * @throws RestError 429 if too many calls of the user are waiting
   */
  async run(
    incoming: AuthenticatedRequest,
    statement: Statement,
    { readOnly, next, timeoutMs = null }: RunOptions,
  ): Promise<StatementResult> {
    const { format, preferences } = incoming.request;
    const main = format.explain ? compileExplain(statement, format.explain) : statement;
    const transaction = this.#transaction(incoming, readOnly, timeoutMs);
    const rollBack = preferences.tx === 'rollback' && this.#settings.TX_OVERRIDE && !readOnly;
    // Writes continue after a disconnect: the client could not know whether a canceled write has committed.
    const onClientAbort = readOnly ? incoming.onClientAbort : undefined;
    return this.limitCalls(
      incoming,
      () =>
        rollBack
          ? this.#runAndRollBack(transaction, main)
          : this.#runBatch(transaction, main, next, onClientAbort),
      onClientAbort,
    );
  }

  /**
   * Runs database calls of the request within the limit of its user.
   *
   * @param onClientAbort set for calls that are not needed after the client has disconnected
   * @throws RestError 429 if too many calls of the user are waiting
   */
  limitCalls<Result>(
    { principal }: AuthenticatedRequest,
    calls: () => Promise<Result>,
    onClientAbort?: RestRequest['onClientAbort'],
  ): Promise<Result> {
    return this.#callLimit.run(principal.userId, onClientAbort, calls);
  }

  /**
   * Returns the database role that the request is expected to have: that of the user's last request, if it was an elevated
   * one. The database decides again when it runs the request.
   *
   * @throws QueryError for a session that has ended
   */
  async predictRole(incoming: AuthenticatedRequest): Promise<string> {
    const { role, userId } = incoming.principal;
    const last = userId === null ? undefined : this.#lastRoles.get(userId);
    if (last !== undefined && last !== role) return last;
    const settings = this.#createSettings(this.#transaction(incoming, true, null));
    const [result] = await this.limitCalls(incoming, () => this.database.batch([settings]));
    const current = result?.rows[0]?.at(-1) ?? role;
    if (userId !== null) this.#lastRoles.set(userId, current);
    return current;
  }

  /** Returns the first statement of a write, which sets the role of the client. */
  createSettingsStatement(incoming: AuthenticatedRequest): Statement {
    return this.#createSettings(this.#transaction(incoming, false, null));
  }

  /** Runs the settings statement, the main statement and an optional second statement in one round trip. */
  async #runBatch(
    transaction: TransactionSettings,
    main: Statement,
    next: Statement | undefined,
    onClientAbort: RestRequest['onClientAbort'] | undefined,
  ): Promise<StatementResult> {
    const statements = [this.#createSettings(transaction), main, ...(next ? [next] : [])];
    const { role, userId } = transaction.principal;
    const planKey = (userId === null ? undefined : this.#lastRoles.get(userId)) ?? role;
    const withStatementTimeout = (timeoutMs: number): Statement[] => {
      const statementTimeoutMs = Math.min(timeoutMs, transaction.statementTimeoutMs);
      return [this.#createSettings({ ...transaction, statementTimeoutMs }), main];
    };
    const results = await this.database.batch(statements, {
      planKey,
      // Only reads can be canceled. Reads with a second statement can be long, so they never use the shared connection.
      ...(onClientAbort && { onClientAbort, ...(next ? {} : { withStatementTimeout }) }),
    });
    // The last column of the settings statement is the role that the database has set.
    const databaseRole = results[0]?.rows[0]?.at(-1);
    if (userId !== null && databaseRole) this.#lastRoles.set(userId, databaseRole);
    return { rows: results[1]?.rows ?? [], next: results[2]?.rows ?? [] };
  }

  /** Runs a statement for `Prefer: tx=rollback`: checks deferred constraints, then rolls back. */
  async #runAndRollBack(transaction: TransactionSettings, main: Statement): Promise<StatementResult> {
    const rollback = new Error('transaction rolled back on request');
    let rows: ResultRow[] = [];
    const work = async (tx: Transaction): Promise<never> => {
      await tx.query(this.#createSettings(transaction));
      rows = (await tx.query<Record<string, string | null>>(main)).map((row) => Object.values(row));
      await tx.query({ text: 'set constraints all immediate', values: [] });
      throw rollback;
    };
    await this.database.transaction(work).catch((error: unknown) => {
      if (error !== rollback) throw error;
    });
    return { rows, next: [] };
  }

  #transaction(
    { request, principal, requestId, origin }: AuthenticatedRequest,
    readOnly: boolean,
    timeoutMs: number | null,
  ): TransactionSettings {
    const { EXTRA_SEARCH_PATH, REQUEST_SETTINGS } = this.#settings;
    const schemas = new Set([request.schema, ...EXTRA_SEARCH_PATH]);
    return {
      principal,
      readOnly,
      statementTimeoutMs: this.#statementTimeoutMs(principal.role, timeoutMs),
      searchPath: [...schemas].map(quoteIdentifier).join(', '),
      requestId,
      origin,
      timeZone: request.preferences.timezone,
      requestSettings: REQUEST_SETTINGS ? readRequestSettings(request) : null,
    };
  }

  /** Returns the timeout of the function, else of the role, in milliseconds; at most `STATEMENT_TIMEOUT`. */
  #statementTimeoutMs(role: DatabaseRole, routineTimeoutMs: number | null): number {
    const { STATEMENT_TIMEOUT, ANON_STATEMENT_TIMEOUT } = this.#settings;
    const timeoutMs = routineTimeoutMs ?? this.#schemaCache.current?.timeouts.get(role);
    if (timeoutMs === undefined) return role === 'anon' ? ANON_STATEMENT_TIMEOUT : STATEMENT_TIMEOUT;
    return Math.min(timeoutMs ?? STATEMENT_TIMEOUT, STATEMENT_TIMEOUT);
  }
}
