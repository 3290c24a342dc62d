/** State and operations shared by the handlers of reads, writes and function calls. */
import { LRUCache } from 'lru-cache';
import type { Database, Statement } from '@lanternrock/postgres';
import type { DatabaseRole, PlainResponse, Principal, RestRequest } from '../rest-types.ts';
import type { RestSettings } from '../settings.ts';
import type { CheckContext } from '../check/lookups.ts';
import { requireRights } from '../check/rights.ts';
import { compileExplain } from '../compile/sql-builder.ts';
import type { ParsedRequest } from '../parse/parse-request.ts';
import { PlanCache } from './plan-cache.ts';
import { appliedPreferences } from '../parse/preferences.ts';
import {
  readRequestSettings,
  settingsStatements,
  type CreateSettingsStatement,
  type SessionFunctions,
  type TransactionSettings,
} from '../run/request-settings.ts';
import { tokenizeQuery, type QueryTokens } from '../parse/query-tokens.ts';
import { baseHeaders } from '../response/build-response.ts';
import {
  runStatement,
  runAndRollBack,
  type StatementResult,
  type StatementRun,
} from '../run/run-statement.ts';
import type { SchemaCacheManager } from '../schema/schema-cache-manager.ts';
import { quoteIdentifier } from '../schema/quote-identifier.ts';

/** A parsed request with its principal. */
export interface AuthenticatedRequest extends Pick<RestRequest, 'requestId' | 'readBody' | 'onClientAbort'> {
  readonly request: ParsedRequest;
  readonly principal: Principal;
  /** `statement_timeout` of the called function, in milliseconds. */
  readonly timeoutMs?: number | null;
}

export interface HandlerContextOptions {
  readonly settings: RestSettings;
  readonly database: Database;
  readonly schemaCache: SchemaCacheManager;
  readonly sessionFunctions: SessionFunctions | null;
  readonly apiName: string;
  readonly apiUrl: URL;
}

/** Maximum total length of cached query strings, in characters. Clients repeat few distinct queries. */
const maxCachedTokenChars = 1_000_000;

export class HandlerContext {
  readonly settings: RestSettings;
  /** Title and URL in the OpenAPI document. */
  readonly apiName: string;
  readonly apiUrl: URL;
  /** False for a database without the functions and tables of the service. */
  readonly isManaged: boolean;
  readonly plans: PlanCache;
  /** OpenAPI documents for the current schema cache, by the objects that are visible to the client. */
  readonly openApiDocuments = new LRUCache<string, string>({ max: 20 });
  readonly #database: Database;
  readonly #settingsStatement: CreateSettingsStatement;
  readonly #schemaCache: SchemaCacheManager;
  readonly #tokens = new LRUCache<string, QueryTokens>({
    maxSize: maxCachedTokenChars,
    sizeCalculation: (_tokens, key) => key.length + 500,
  });

  constructor(options: HandlerContextOptions) {
    this.settings = options.settings;
    this.apiName = options.apiName;
    this.apiUrl = options.apiUrl;
    this.isManaged = options.sessionFunctions !== null;
    this.#database = options.database;
    this.#settingsStatement = settingsStatements(options.database, options.sessionFunctions);
    this.#schemaCache = options.schemaCache;
    this.plans = new PlanCache(options.schemaCache);
    options.schemaCache.onReload(() => this.openApiDocuments.clear());
  }

  async checkContext({ request, principal }: AuthenticatedRequest): Promise<CheckContext> {
    const cache = await this.#schemaCache.get();
    return { cache, schema: request.schema, role: principal.role, aggregates: this.settings.AGGREGATES };
  }

  /** @throws RestError as `requireRights` in `check/rights.ts` */
  async requireRights(incoming: AuthenticatedRequest): Promise<void> {
    await this.#schemaCache.withReload(async () =>
      requireRights(await this.checkContext(incoming), incoming.request),
    );
  }

  tokens({ query }: ParsedRequest, call = false): QueryTokens {
    const key = call ? `call ${query}` : query;
    const cached = this.#tokens.get(key);
    if (cached) return cached;
    const { LOGIC_DEPTH: logicDepth, MAX_ROWS: maxRows } = this.settings;
    const tokens = tokenizeQuery(query, { logicDepth, maxRows, call });
    this.#tokens.set(key, tokens);
    return tokens;
  }

  #transactionSettings(
    { request, principal, requestId, timeoutMs }: AuthenticatedRequest,
    readOnly: boolean,
  ): TransactionSettings {
    const schemas = new Set([request.schema, ...this.settings.EXTRA_SEARCH_PATH]);
    return {
      principal,
      readOnly,
      statementTimeoutMs: this.#statementTimeoutMs(principal.role, timeoutMs),
      searchPath: [...schemas].map(quoteIdentifier).join(', '),
      requestId,
      timeZone: request.preferences.timezone,
      requestSettings: this.settings.REQUEST_SETTINGS ? readRequestSettings(request) : null,
    };
  }

  /** Returns the timeout of the function, else of the role, in milliseconds; at most `STATEMENT_TIMEOUT`. */
  #statementTimeoutMs(role: DatabaseRole, routineTimeoutMs: number | null = null): number {
    const { STATEMENT_TIMEOUT, ANON_STATEMENT_TIMEOUT } = this.settings;
    const timeoutMs = routineTimeoutMs ?? this.#schemaCache.current?.timeouts.get(role);
    if (timeoutMs === undefined) return role === 'anon' ? ANON_STATEMENT_TIMEOUT : STATEMENT_TIMEOUT;
    return Math.min(timeoutMs ?? STATEMENT_TIMEOUT, STATEMENT_TIMEOUT);
  }

  /** Returns a statement with what is needed to run it with the role of the client. */
  statementRun(incoming: AuthenticatedRequest, readOnly: boolean, main: Statement): StatementRun {
    return {
      database: this.#database,
      settingsStatement: this.#settingsStatement,
      transaction: this.#transactionSettings(incoming, readOnly),
      main,
    };
  }

  /** Runs a statement with the role of the client; with EXPLAIN or a rollback if the request requires it. */
  async run(
    incoming: AuthenticatedRequest,
    readOnly: boolean,
    statement: Statement,
    next?: Statement,
  ): Promise<StatementResult> {
    const { format, preferences } = incoming.request;
    const main = format.explain ? compileExplain(statement, format.explain) : statement;
    const run = this.statementRun(incoming, readOnly, main);
    const rollBack = preferences.tx === 'rollback' && this.settings.TX_OVERRIDE && !readOnly;
    if (rollBack) return runAndRollBack(run);
    // Writes continue after a disconnect: the client could not know whether a canceled write has committed.
    return runStatement(run, next, readOnly ? incoming.onClientAbort : undefined);
  }

  headers({ request }: AuthenticatedRequest, resolution = false): Record<string, string> {
    const applied = appliedPreferences(request.preferences, {
      method: request.method,
      call: request.call,
      resolution,
      txOverride: this.settings.TX_OVERRIDE,
    });
    return baseHeaders(request, applied);
  }

  /** Returns the response with the query plan. */
  explainResponse(incoming: AuthenticatedRequest, { rows }: StatementResult): PlainResponse {
    return {
      status: 200,
      headers: { ...this.headers(incoming), 'Content-Type': incoming.request.format.contentType },
      body: incoming.request.method === 'HEAD' ? null : rows.map(([line]) => line ?? '').join('\n'),
    };
  }
}
