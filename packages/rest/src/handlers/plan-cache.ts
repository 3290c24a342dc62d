/** Caches the tokens of query strings, and plans by request shape until the schema cache changes. */
import { LRUCache } from 'lru-cache';
import type { CheckContext } from '../check/lookups.ts';
import type { CompiledStatement } from '../compile/sql-builder.ts';
import type { ParsedRequest } from '../parse/parse-request.ts';
import { tokenizeQuery, type QueryTokens } from '../parse/query-tokens.ts';
import type { AuthenticatedRequest } from '../run/request-runner.ts';
import type { SchemaCacheManager } from '../schema/schema-cache-manager.ts';
import type { RestSettings } from '../settings.ts';

/** Maximum total length of cached query strings, in characters. Clients repeat few distinct queries. */
const maxCachedTokenChars = 1_000_000;
/** Maximum total length of cached keys and statements, in characters. */
const maxCachedPlanChars = 16_000_000;

export class PlanCache {
  readonly #settings: RestSettings;
  readonly #schemaCache: SchemaCacheManager;
  readonly #tokens = new LRUCache<string, QueryTokens>({
    maxSize: maxCachedTokenChars,
    sizeCalculation: (_tokens, key) => key.length + 500,
  });
  readonly #plans = new LRUCache<string, { readonly statement: CompiledStatement }>({
    maxSize: maxCachedPlanChars,
    sizeCalculation: ({ statement }, key) => key.length + statement.text.length + 500,
  });

  constructor(settings: RestSettings, schemaCache: SchemaCacheManager) {
    this.#settings = settings;
    this.#schemaCache = schemaCache;
    schemaCache.onReload(() => this.#plans.clear());
  }

  /** @param call true if parameters without an operator are arguments of a function */
  tokens({ query }: ParsedRequest, call = false): QueryTokens {
    const key = call ? `call ${query}` : query;
    const cached = this.#tokens.get(key);
    if (cached) return cached;
    const { LOGIC_DEPTH: logicDepth, MAX_ROWS: maxRows } = this.#settings;
    const tokens = tokenizeQuery(query, { logicDepth, maxRows, call });
    this.#tokens.set(key, tokens);
    return tokens;
  }

  /**
   * Runs `check` with the schema cache and the role of a request; again with a new schema cache, if it failed because of
   * an unknown name or a missing privilege. Anonymous clients must not cause reloads.
   *
   * @throws what `check` throws
   */
  async check<Result>(
    { request: { schema }, principal: { role } }: AuthenticatedRequest,
    check: (context: CheckContext) => Result,
  ): Promise<Result> {
    const aggregates = this.#settings.AGGREGATES;
    const run = async (): Promise<Result> =>
      check({ cache: await this.#schemaCache.get(), schema, role, aggregates });
    return role === 'anon' ? run() : this.#schemaCache.withReload(run);
  }

  /**
   * Returns the plan of a shape. Errors are not cached.
   *
   * @param shape what the plan depends on besides role, name and format; the first value is the kind of plan, so plans of
   *   different types never share a key
   */
  async get<Plan extends { readonly statement: CompiledStatement }>(
    incoming: AuthenticatedRequest,
    shape: readonly unknown[],
    createPlan: (context: CheckContext) => Plan,
  ): Promise<Plan> {
    const { schema, name, format } = incoming.request;
    const { role } = incoming.principal;
    const key = JSON.stringify([schema, role, name, format.shape, format.stripNulls, shape]);
    const cached = this.#plans.get(key);
    if (cached) return cached as Plan;
    const plan = await this.check(incoming, createPlan);
    this.#plans.set(key, plan);
    return plan;
  }
}
