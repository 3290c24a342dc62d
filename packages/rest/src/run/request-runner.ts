/** Runs the statements of a request with the role of the client and the limits of the settings. */
import type { Database, Statement } from '@lanternrock/postgres';
import { compileExplain } from '../compile/sql-builder.ts';
import type { ParsedRequest } from '../parse/parse-request.ts';
import type { DatabaseRole, Principal, RestRequest } from '../rest-types.ts';
import { quoteIdentifier } from '../schema/quote-identifier.ts';
import type { SchemaCacheManager } from '../schema/schema-cache-manager.ts';
import type { RestSettings } from '../settings.ts';
import {
  readRequestSettings,
  settingsStatements,
  type CreateSettingsStatement,
  type SessionFunctions,
} from './request-settings.ts';
import { runAndRollBack, runStatement, type StatementResult, type StatementRun } from './run-statement.ts';

/** A parsed request with its principal. */
export interface AuthenticatedRequest extends Pick<RestRequest, 'requestId' | 'readBody' | 'onClientAbort'> {
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

export class RequestRunner {
  readonly #options: RequestRunnerOptions;
  readonly #settingsStatement: CreateSettingsStatement;

  constructor(options: RequestRunnerOptions) {
    this.#options = options;
    this.#settingsStatement = settingsStatements(options.database, options.sessionFunctions);
  }

  /** Runs a statement; with EXPLAIN or a rollback if the request requires it. */
  async run(
    incoming: AuthenticatedRequest,
    statement: Statement,
    { readOnly, next, timeoutMs = null }: RunOptions,
  ): Promise<StatementResult> {
    const { format, preferences } = incoming.request;
    const main = format.explain ? compileExplain(statement, format.explain) : statement;
    const run = this.prepare(incoming, main, readOnly, timeoutMs);
    const rollBack = preferences.tx === 'rollback' && this.#options.settings.TX_OVERRIDE && !readOnly;
    if (rollBack) return runAndRollBack(run);
    // Writes continue after a disconnect: the client could not know whether a canceled write has committed.
    return runStatement(run, next, readOnly ? incoming.onClientAbort : undefined);
  }

  /** Returns a statement with what is needed to run it with the role of the client. */
  prepare(
    { request, principal, requestId }: AuthenticatedRequest,
    main: Statement,
    readOnly: boolean,
    timeoutMs: number | null = null,
  ): StatementRun {
    const { settings, database } = this.#options;
    const schemas = new Set([request.schema, ...settings.EXTRA_SEARCH_PATH]);
    return {
      database,
      settingsStatement: this.#settingsStatement,
      transaction: {
        principal,
        readOnly,
        statementTimeoutMs: this.#statementTimeoutMs(principal.role, timeoutMs),
        searchPath: [...schemas].map(quoteIdentifier).join(', '),
        requestId,
        timeZone: request.preferences.timezone,
        requestSettings: settings.REQUEST_SETTINGS ? readRequestSettings(request) : null,
      },
      main,
    };
  }

  /** Returns the timeout of the function, else of the role, in milliseconds; at most `STATEMENT_TIMEOUT`. */
  #statementTimeoutMs(role: DatabaseRole, routineTimeoutMs: number | null): number {
    const { settings, schemaCache } = this.#options;
    const { STATEMENT_TIMEOUT, ANON_STATEMENT_TIMEOUT } = settings;
    const timeoutMs = routineTimeoutMs ?? schemaCache.current?.timeouts.get(role);
    if (timeoutMs === undefined) return role === 'anon' ? ANON_STATEMENT_TIMEOUT : STATEMENT_TIMEOUT;
    return Math.min(timeoutMs ?? STATEMENT_TIMEOUT, STATEMENT_TIMEOUT);
  }
}
