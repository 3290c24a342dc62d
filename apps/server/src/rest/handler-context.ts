/** What the handlers of reads, writes and calls share. */
import { LRUCache } from 'lru-cache';
import type { BatchOptions, Database, Statement } from '@lanternrock/postgres';
import type { Config } from '../config/settings.ts';
import type { TransactionSettings } from '../transaction-settings.ts';
import type { DatabaseRole, Principal } from '../principal.ts';
import type { PlainResponse } from './plain-response.ts';
import type { CheckContext } from './check/lookups.ts';
import { requireRights } from './check/rights.ts';
import { compileExplain } from './compile/sql-builder.ts';
import type { RestRequest } from './parse/rest-request.ts';
import { PlanCache } from './plan-cache.ts';
import { appliedPreferences } from './parse/preferences.ts';
import { readRequestSettings } from './request-settings.ts';
import { tokenizeQuery, type QueryTokens } from './parse/query-tokens.ts';
import { baseHeaders } from './build-response.ts';
import { runStatement, runAndRollBack, type StatementResult } from './run-statement.ts';
import type { SchemaCacheManager } from './schema/schema-cache-manager.ts';
import { quoteIdentifier } from './schema/quote-identifier.ts';

/** A request and who sent it. */
export interface AuthenticatedRequest {
  readonly request: RestRequest;
  readonly identity: Principal;
  readonly requestId: string;
  /** Milliseconds that a called function sets for itself. */
  readonly timeLimit?: number | null;
  readonly readBody: () => Promise<ArrayBuffer>;
  /** As in `BatchOptions`: tells when the connection of the request is gone. */
  readonly abandoned: NonNullable<BatchOptions['onClientAbort']>;
}

/** Characters of queries whose tokens are kept; pages ask the same few questions again and again. */
const tokensCapacity = 1_000_000;

export class HandlerContext {
  readonly database: Database;
  readonly config: Config;
  readonly plans: PlanCache;
  /** OpenAPI documents of the present catalog, by what their readers may see. */
  readonly descriptions = new LRUCache<string, string>({ max: 20 });
  readonly #holder: SchemaCacheManager;
  readonly #tokens = new LRUCache<string, QueryTokens>({
    maxSize: tokensCapacity,
    sizeCalculation: (_tokens, key) => key.length + 500,
  });

  constructor(options: {
    readonly database: Database;
    readonly config: Config;
    readonly holder: SchemaCacheManager;
  }) {
    this.database = options.database;
    this.config = options.config;
    this.#holder = options.holder;
    this.plans = new PlanCache(options.holder);
    options.holder.onReload(() => this.descriptions.clear());
  }

  async context({ request, identity }: AuthenticatedRequest): Promise<CheckContext> {
    const cache = await this.#holder.get();
    return { cache, schema: request.schema, role: identity.role, aggregates: this.config.AGGREGATES };
  }

  /** @throws ApiError as the function of this name, see `check/rights.ts` */
  async requireRights(asked: AuthenticatedRequest): Promise<void> {
    await this.#holder.withFresh(async () => requireRights(await this.context(asked), asked.request));
  }

  tokens({ query }: RestRequest, call = false): QueryTokens {
    const key = call ? `call ${query}` : query;
    const known = this.#tokens.get(key);
    if (known) return known;
    const { LOGIC_DEPTH: logicDepth, MAX_ROWS: maxRows } = this.config;
    const tokens = tokenizeQuery(query, { logicDepth, maxRows, call });
    this.#tokens.set(key, tokens);
    return tokens;
  }

  scope(
    { request, identity, requestId, timeLimit }: AuthenticatedRequest,
    readOnly: boolean,
  ): TransactionSettings {
    const path = new Set([request.schema, ...this.config.EXTRA_SEARCH_PATH]);
    return {
      identity,
      readOnly,
      statementTimeout: this.#timeLimit(identity.role, timeLimit),
      searchPath: [...path].map(quoteIdentifier).join(', '),
      requestId,
      timeZone: request.preferences.timezone,
      unmanaged: !this.config.MIGRATE,
      requestSettings: this.config.REQUEST_SETTINGS ? readRequestSettings(request) : null,
    };
  }

  /** Milliseconds: the function's own limit or else the role's, but never more than the service's. */
  #timeLimit(role: DatabaseRole, own: number | null = null): number {
    const { STATEMENT_TIMEOUT, ANON_STATEMENT_TIMEOUT } = this.config;
    const set = own ?? this.#holder.current?.timeouts.get(role);
    if (set === undefined) return role === 'anon' ? ANON_STATEMENT_TIMEOUT : STATEMENT_TIMEOUT;
    return Math.min(set ?? STATEMENT_TIMEOUT, STATEMENT_TIMEOUT);
  }

  /** Runs a statement in the caller's name, explained or undone where the request asks for it. */
  async run(
    asked: AuthenticatedRequest,
    readOnly: boolean,
    statement: Statement,
    next?: Statement,
  ): Promise<StatementResult> {
    const { format, preferences } = asked.request;
    const main = format.explain ? compileExplain(statement, format.explain) : statement;
    const scope = this.scope(asked, readOnly);
    const undo = preferences.tx === 'rollback' && this.config.TX_OVERRIDE && !readOnly;
    if (undo) return runAndRollBack(this.database, scope, main);
    // A write goes on when its caller is gone: nobody could tell whether it had been done.
    return runStatement(this.database, scope, main, next, readOnly ? asked.abandoned : undefined);
  }

  headers({ request }: AuthenticatedRequest, resolution = false): Record<string, string> {
    const applied = appliedPreferences(request.preferences, {
      method: request.method,
      call: request.call,
      resolution,
      txOverride: this.config.TX_OVERRIDE,
    });
    return baseHeaders(request, applied);
  }

  /** The query plan as it came, instead of an answer. */
  explainAnswer(asked: AuthenticatedRequest, { rows }: StatementResult): PlainResponse {
    return {
      status: 200,
      headers: { ...this.headers(asked), 'Content-Type': asked.request.format.contentType },
      body: asked.request.method === 'HEAD' ? null : rows.map(([line]) => line ?? '').join('\n'),
    };
  }
}
